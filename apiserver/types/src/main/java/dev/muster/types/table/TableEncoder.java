package dev.muster.types.table;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.replica.object.StoredObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Builds the Table objects of one request. For a watch it remembers whether the columns have been
 * sent, so each watch has its own encoder and uses it from one thread at a time.
 */
public final class TableEncoder {
  private static final String END_OF_INITIAL_EVENTS = "k8s.io/initial-events-end";

  /** How much of each object a row contains. */
  public enum Include {
    NONE,
    METADATA,
    OBJECT;

    /**
     * Parses the query parameter {@code includeObject}; absent means metadata.
     *
     * @throws ApiException for an unknown value
     */
    public static Include parse(String text) {
      return switch (text) {
        case "", "Metadata" -> METADATA;
        case "Object" -> OBJECT;
        case "None" -> NONE;
        default ->
            throw ApiException.badRequest(
                "Unable to convert to Table as requested: includeObject: Invalid value: "
                    + GoText.quote(text)
                    + ": must be 'Metadata', 'Object', 'None', or empty");
      };
    }
  }

  private final TableSpec spec;
  private final String apiVersion;
  private final Include include;
  private final UnaryOperator<JsonObject> served;
  private final UnaryOperator<JsonObject> metadata;
  private boolean columnsSent;

  /**
   * @param apiVersion the version of the Table: {@code meta.k8s.io/v1} or {@code
   *     meta.k8s.io/v1beta1}
   * @param served converts a stored object to the version of the request
   * @param metadata makes the metadata that a row shows without the object
   */
  public TableEncoder(
      TableSpec spec,
      String apiVersion,
      Include include,
      UnaryOperator<JsonObject> served,
      UnaryOperator<JsonObject> metadata) {
    this.spec = spec;
    this.apiVersion = apiVersion;
    this.include = include;
    this.served = served;
    this.metadata = metadata;
  }

  /**
   * The table of a list, with the metadata of the list: resourceVersion, continue and so on. Like
   * upstream, an empty list of a resource without columns of its own has null rows.
   */
  public JsonObject list(JsonObject ofList, List<JsonObject> objects, Instant now) {
    var rows = new ArrayList<Json>(objects.size());
    for (var object : spec.inOrder(objects, object -> object)) {
      rows.add(row(object, now));
    }
    boolean none = rows.isEmpty() && spec.isPlain();
    return table(ofList, spec.definitions(), none ? JsonNull.NULL : JsonArray.of(rows));
  }

  /** The table of one object. */
  public JsonObject single(JsonObject object, Instant now) {
    return table(version(object), spec.definitions(), JsonArray.of(row(object, now)));
  }

  /**
   * The table of a watch event; for most resources only the first one contains the column
   * definitions.
   */
  public JsonObject event(JsonObject object, Instant now) {
    Json definitions = columnsSent && !spec.repeatsColumns() ? JsonNull.NULL : spec.definitions();
    columnsSent = true;
    return table(version(object), definitions, JsonArray.of(row(object, now)));
  }

  private static JsonObject version(JsonObject object) {
    return JsonObject.builder()
        .putIf("resourceVersion", object.object("metadata").string("resourceVersion"))
        .build();
  }

  private JsonObject table(JsonObject itsMetadata, Json definitions, Json rows) {
    return JsonObject.builder()
        .put("kind", "Table")
        .put("apiVersion", apiVersion)
        .put("metadata", itsMetadata)
        .put("columnDefinitions", definitions)
        .put("rows", rows)
        .build();
  }

  /** The objects of a list in the order of the table's rows. */
  public Iterable<StoredObject> inOrder(Iterable<StoredObject> objects) {
    return spec.inOrder(objects, StoredObject::tree);
  }

  /** One row of a list's table. */
  public JsonObject row(JsonObject object, Instant now) {
    var row = JsonObject.builder().put("cells", spec.cells(object, now));
    var conditions = spec.conditions(object);
    if (!conditions.isEmpty()) {
      row.put("conditions", conditions);
    }
    return row.put("object", included(object)).build();
  }

  private Json included(JsonObject object) {
    boolean endOfInitialEvents =
        object.object("metadata", "annotations").has(END_OF_INITIAL_EVENTS);
    return switch (include) {
      case OBJECT -> served.apply(object);
      case METADATA -> partial(object);
      case NONE -> endOfInitialEvents ? partial(object) : JsonNull.NULL;
    };
  }

  private JsonObject partial(JsonObject object) {
    return JsonObject.of(
        "kind",
        "PartialObjectMetadata",
        "apiVersion",
        apiVersion,
        "metadata",
        metadata.apply(object));
  }
}
