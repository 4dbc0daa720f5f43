package dev.muster.registry.select;

import dev.muster.model.MalformedValueException;
import dev.muster.model.go.GoText;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonNumber;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.model.select.FieldSelector;
import dev.muster.replica.object.Form;
import dev.muster.replica.object.StoredObject;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The fields that a field selector can ask for. A resource without fields of its own knows name and
 * namespace, and refuses others with a text that says so; those with fields of their own refuse in
 * the words that each of them has in kube-apiserver. Immutable.
 */
public final class SelectableFields {
  private static final Map<String, Function<JsonObject, String>> METADATA =
      Map.of(
          "metadata.name", path("metadata.name"), "metadata.namespace", path("metadata.namespace"));

  /** Where objects keep the values of their fields. */
  private static final int SLOT = 1;

  private static final int SECOND_SLOT = 2;

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
  private final @Nullable Form remembered;

  /** Fields that a kind always has: objects remember their values. */
  SelectableFields(
      Map<String, Function<JsonObject, String>> readers, Function<String, String> refusal) {
    this(readers, refusal, new RememberedFields(Map.copyOf(readers), SLOT));
  }

  private SelectableFields(
      Map<String, Function<JsonObject, String>> readers,
      Function<String, String> refusal,
      @Nullable Form remembered) {
    this.readers = Map.copyOf(readers);
    this.refusal = refusal;
    this.remembered = remembered;
  }

  /** These fields of a kind whose objects are stored with those of another kind. */
  SelectableFields besideOthers() {
    return new SelectableFields(readers, refusal, new RememberedFields(readers, SECOND_SLOT));
  }

  /**
   * Name, namespace (of objects that have one) and fields that a custom resource defines. Versions
   * may have different ones, and a definition can change, so that objects do not remember them.
   *
   * @param paths simple JSON paths such as {@code .spec.color}; selectors leave out the first dot
   */
  public static SelectableFields custom(List<String> paths, boolean namespaced) {
    var readers = new HashMap<>(METADATA);
    if (!namespaced) {
      readers.remove("metadata.namespace");
    }
    for (var path : paths) {
      readers.put(path.startsWith(".") ? path.substring(1) : path, path(path));
    }
    return new SelectableFields(readers, label -> "field label not supported: " + label, null);
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

  /** Tells the values of a stored object's fields, which it remembers where it can. */
  public Function<String, String> values(StoredObject object) {
    if (remembered == null) {
      var tree = object.tree();
      return field -> value(tree, field);
    }
    return JsonReader.read(object.form(remembered)) instanceof JsonObject all
        ? all::string
        : field -> "";
  }

  /** Whether {@link #values} takes no time. */
  public boolean remembers(StoredObject object) {
    return remembered != null && object.remembers(remembered);
  }

  /** Keeps the values of the fields with an object. */
  private record RememberedFields(Map<String, Function<JsonObject, String>> readers, int slot)
      implements Form {
    @Override
    public byte[] encode(StoredObject object) {
      var tree = object.tree();
      var all = JsonObject.builder();
      readers.forEach((field, reader) -> all.put(field, reader.apply(tree)));
      return JsonWriter.bytes(all.build());
    }
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
