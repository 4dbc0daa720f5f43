package dev.muster.types.select;

import dev.muster.model.MalformedValueException;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonNumber;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.model.select.FieldSelector;
import dev.muster.replica.object.FieldExtractor;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.object.StringPool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The fields that a field selector can ask for. A resource without fields of its own knows name and
 * namespace, and refuses others with a text that says so; those with fields of their own refuse in
 * the words that each of them has in kube-apiserver. Immutable.
 */
public final class SelectableFields {
  public static final String NAME = "metadata.name";
  public static final String NAMESPACE = "metadata.namespace";

  /** What is most of many objects, and where no field is that comes with a kind. */
  private static final String MANAGED_FIELDS = "managedFields";

  private static final Map<String, Function<JsonObject, String>> METADATA =
      Map.of(NAME, path(NAME), NAMESPACE, path(NAMESPACE));

  /** Many objects have the same values. */
  private static final StringPool WORDS = new StringPool();

  /** Of resources without fields of their own. */
  public static final SelectableFields PLAIN =
      new SelectableFields(
          METADATA,
          label ->
              GoText.quote(label)
                  + " is not a known field selector: only \"metadata.name\","
                  + " \"metadata.namespace\"");

  private final Map<String, Function<JsonObject, String>> readers;
  private final Function<String, String> refusal;
  private final FieldExtractor extractor;

  /** Where among the extracted values each field is. */
  private final Map<String, Integer> places;

  /** Fields that a kind always has. */
  SelectableFields(
      Map<String, Function<JsonObject, String>> readers, Function<String, String> refusal) {
    this.readers = Map.copyOf(readers);
    this.refusal = refusal;
    var fields = extracted(readers);
    this.places = places(fields);
    this.extractor =
        new KindFields(
            fields.stream().map(field -> readers.getOrDefault(field, all -> "")).toList());
  }

  private SelectableFields(
      Map<String, Function<JsonObject, String>> readers,
      Function<String, String> refusal,
      List<String> paths) {
    this.readers = Map.copyOf(readers);
    this.refusal = refusal;
    this.places = places(paths);
    this.extractor = new DefinedFields(paths);
  }

  /** Names and namespaces are at hand in every object. */
  private static List<String> extracted(Map<String, ?> readers) {
    var fields = new ArrayList<>(readers.keySet());
    fields.remove(NAME);
    fields.remove(NAMESPACE);
    return fields;
  }

  private static Map<String, Integer> places(List<String> fields) {
    var places = new HashMap<String, Integer>();
    for (int i = 0; i < fields.size(); i++) {
      places.putIfAbsent(fields.get(i), i);
    }
    return Map.copyOf(places);
  }

  /**
   * Name, namespace (of objects that have one) and fields that a custom resource defines.
   *
   * @param paths simple JSON paths such as {@code .spec.color}; selectors leave out the first dot
   */
  public static SelectableFields custom(List<String> paths, boolean namespaced) {
    var readers = new HashMap<>(METADATA);
    if (!namespaced) {
      readers.remove(NAMESPACE);
    }
    var fields = new ArrayList<String>();
    for (var path : paths) {
      var field = path.startsWith(".") ? path.substring(1) : path;
      fields.add(field);
      readers.put(field, path(path));
    }
    return new SelectableFields(
        readers, label -> "field label not supported: " + label, List.copyOf(fields));
  }

  /**
   * The selector, when it asks only for fields that are known here.
   *
   * @throws MalformedValueException with kube-apiserver's message
   */
  public FieldSelector checked(FieldSelector selector) {
    for (var term : selector.terms()) {
      if (!readers.containsKey(term.field())) {
        throw new MalformedValueException(refusal.apply(term.field()));
      }
    }
    return selector;
  }

  /** The value of a field as text; "" when it is absent or not known here. */
  public String value(JsonObject object, String field) {
    var reader = readers.get(field);
    return reader == null ? "" : reader.apply(object);
  }

  /**
   * The value of a field of an object as it is stored; "" when it is absent or not known here. An
   * indexed one was read when the object was applied, all others are when the first of them is
   * asked for.
   */
  public String value(StoredObject object, String field) {
    return switch (field) {
      case NAME -> object.simpleName();
      case NAMESPACE -> object.namespace();
      default -> {
        var indexed = object.indexed(field);
        if (indexed != null) {
          yield indexed;
        }
        var place = places.get(field);
        yield place == null ? "" : object.extracted(extractor)[place];
      }
    };
  }

  /** Whether {@link #value(StoredObject, String)} takes no time. */
  public boolean isPrecomputed(StoredObject object, String field) {
    return field.equals(NAME)
        || field.equals(NAMESPACE)
        || object.indexed(field) != null
        || object.hasExtracted(extractor);
  }

  /** By its identity: the fields of one kind, in an order of its own. */
  private static final class KindFields implements FieldExtractor {
    private final List<Function<JsonObject, String>> readers;

    KindFields(List<Function<JsonObject, String>> readers) {
      this.readers = readers;
    }

    @Override
    public String[] extract(StoredObject object) {
      return values(object.outline(MANAGED_FIELDS), readers);
    }
  }

  /** By what it says: a definition that is changed leaves its fields as they are, more often. */
  private record DefinedFields(List<String> fields) implements FieldExtractor {
    @Override
    public String[] extract(StoredObject object) {
      return values(object.tree(), fields.stream().map(SelectableFields::path).toList());
    }
  }

  private static String[] values(JsonObject tree, List<Function<JsonObject, String>> readers) {
    var values = new String[readers.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = WORDS.share(readers.get(i).apply(tree));
    }
    return values;
  }

  /** Whether the selector chooses the object. */
  public boolean matches(FieldSelector selector, JsonObject object) {
    for (int i = 0; i < selector.terms().size(); i++) {
      var term = selector.terms().get(i);
      if (!term.matches(value(object, term.field()))) {
        return false;
      }
    }
    return true;
  }

  /** Reads the scalar at the end of a path with dots; "" when there is none. */
  static Function<JsonObject, String> path(String path) {
    var names = (path.startsWith(".") ? path.substring(1) : path).split("\\.");
    return object -> {
      var value = object.at(names);
      return switch (value) {
        case null -> "";
        case JsonString text -> text.value();
        case JsonNumber number -> number.toString();
        case JsonBool bool -> bool.toString();
        case JsonNull ignored -> "";
        case JsonObject ignored -> "";
        case JsonArray ignored -> "";
      };
    };
  }
}
