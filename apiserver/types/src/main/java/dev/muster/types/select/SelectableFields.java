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
 * The fields that a field selector can use, and their values. Unknown fields are refused with
 * kube-apiserver's message for the resource. Immutable.
 */
public final class SelectableFields {
  public static final String NAME = "metadata.name";
  public static final String NAMESPACE = "metadata.namespace";

  /** The largest part of many objects; it contains no field that a built-in kind selects by. */
  private static final String MANAGED_FIELDS = "managedFields";

  private static final Map<String, Function<JsonObject, String>> METADATA =
      Map.of(NAME, path(NAME), NAMESPACE, path(NAMESPACE));

  /** Shares equal values, since many objects have the same ones. */
  private static final StringPool WORDS = new StringPool();

  /** The fields of a resource that has only name and namespace. */
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

  /** The position of each field among the extracted values. */
  private final Map<String, Integer> places;

  /** The fields of a built-in kind. */
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

  /** Name and namespace are not extracted, because every object already has them. */
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
   * Name, namespace (if namespaced) and the fields that a definition declares.
   *
   * @param paths simple JSON paths such as {@code .spec.color}; selectors leave out the leading dot
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
   * The selector, if it uses only known fields.
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

  /** The value of a field as text; "" when it is absent or unknown. */
  public String value(JsonObject object, String field) {
    var reader = readers.get(field);
    return reader == null ? "" : reader.apply(object);
  }

  /**
   * The value of a field of a stored object; "" when it is absent or unknown. Indexed fields were
   * read when the object was applied; the others are read together on first use.
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

  /** Whether {@link #value(StoredObject, String)} is cheap. */
  public boolean isPrecomputed(StoredObject object, String field) {
    return field.equals(NAME)
        || field.equals(NAMESPACE)
        || object.indexed(field) != null
        || object.hasExtracted(extractor);
  }

  /** Compared by identity: the fields of one built-in kind. */
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

  /** Compared by value, because a changed definition usually has the same fields. */
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

  /** Whether the object matches the selector. */
  public boolean matches(FieldSelector selector, JsonObject object) {
    for (int i = 0; i < selector.terms().size(); i++) {
      var term = selector.terms().get(i);
      if (!term.matches(value(object, term.field()))) {
        return false;
      }
    }
    return true;
  }

  /** Reads the scalar at a dotted path; "" when there is none. */
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
