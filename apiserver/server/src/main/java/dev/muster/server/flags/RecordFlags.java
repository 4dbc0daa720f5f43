package dev.muster.server.flags;

import dev.muster.server.options.flag.Flag;
import dev.muster.server.options.flag.FlagGroup;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The flags of a record whose components carry {@link Flag} or are such records themselves. It
 * provides their definitions for the help, and creates the record for a command line.
 */
public final class RecordFlags<T extends Record> {
  private final T defaults;

  private RecordFlags(T defaults) {
    this.defaults = defaults;
  }

  /** The flags of the record's type. A flag that is not given keeps the value of this record. */
  public static <T extends Record> RecordFlags<T> of(T defaults) {
    return new RecordFlags<>(defaults);
  }

  /** All flags in the order of the components. */
  public List<FlagDefinition> definitions() {
    var definitions = new ArrayList<FlagDefinition>();
    collect(defaults, definitions);
    return definitions;
  }

  /**
   * The record with the given flags, by name without dashes, in place of the defaults. Names that
   * this record does not have are ignored.
   *
   * @throws FlagException when a value cannot be parsed or the record rejects it
   */
  @SuppressWarnings("unchecked")
  public T read(Map<String, List<String>> given) {
    return (T) rebuild(defaults, given);
  }

  /** A flag and its value in a record. */
  record Given(Flag flag, @Nullable Object value) {}

  /** All flags of a record with their values, in the order of the components. */
  static List<Given> values(Record record) {
    var found = new ArrayList<Given>();
    for (var component : record.getClass().getRecordComponents()) {
      var flag = component.getAnnotation(Flag.class);
      var value = value(record, component);
      if (flag != null) {
        found.add(new Given(flag, value));
      } else if (value instanceof Record nested) {
        found.addAll(values(nested));
      }
    }
    return found;
  }

  private static void collect(Record record, List<FlagDefinition> definitions) {
    for (var component : record.getClass().getRecordComponents()) {
      var flag = component.getAnnotation(Flag.class);
      var value = value(record, component);
      if (flag != null) {
        var type = FlagType.of(component.getGenericType(), flag);
        definitions.add(
            new FlagDefinition(
                heading(record.getClass()),
                flag.name(),
                type.isBoolean(),
                type.placeholder(),
                flag.help(),
                type.text(value),
                flag.file()));
      } else if (value instanceof Record nested) {
        collect(nested, definitions);
      }
    }
  }

  private static Record rebuild(Record record, Map<String, List<String>> given) {
    var components = record.getClass().getRecordComponents();
    var values = new @Nullable Object[components.length];
    for (int i = 0; i < components.length; i++) {
      var flag = components[i].getAnnotation(Flag.class);
      var value = value(record, components[i]);
      if (flag != null) {
        var texts = given.get(flag.name());
        values[i] =
            texts == null
                ? value
                : FlagType.of(components[i].getGenericType(), flag)
                    .parse(flag.name(), texts, value);
        if (values[i] == null && !isNullable(components[i])) {
          throw new FlagException("--" + flag.name() + ": must not be empty");
        }
      } else {
        values[i] = value instanceof Record nested ? rebuild(nested, given) : value;
      }
    }
    return construct(record.getClass(), components, values);
  }

  private static Record construct(
      Class<? extends Record> type, RecordComponent[] components, @Nullable Object[] values) {
    var types = Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    try {
      var constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return constructor.newInstance(values);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof IllegalArgumentException refused) {
        throw new FlagException(String.valueOf(refused.getMessage()), refused);
      }
      throw new IllegalStateException(type + " cannot be made", e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(type + " cannot be made", e);
    }
  }

  private static boolean isNullable(RecordComponent component) {
    return component.getAnnotatedType().isAnnotationPresent(Nullable.class);
  }

  private static @Nullable Object value(Record record, RecordComponent component) {
    try {
      var accessor = component.getAccessor();
      accessor.setAccessible(true);
      return accessor.invoke(record);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(component + " cannot be read", e);
    }
  }

  private static String heading(Class<?> type) {
    var group = type.getAnnotation(FlagGroup.class);
    return group == null ? "" : group.value();
  }
}
