package dev.muster.registry.custom;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldPath;
import dev.muster.registry.body.UnknownFields;
import dev.muster.schema.StructShape;
import dev.muster.schema.read.EmptyFields;
import dev.muster.schema.read.ObjectForm;
import dev.muster.schema.read.TypedReader.Typed;
import dev.muster.schema.structural.Defaulting;
import dev.muster.schema.structural.Pruning;
import dev.muster.validation.schema.EmbeddedObjects;
import dev.muster.validation.schema.SentMetadata;
import dev.muster.validation.schema.SentNumbers;
import dev.muster.wire.Document;
import dev.muster.wire.JsonWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads objects of one version of a custom resource: metadata by the built-in schema, all else by
 * the version's schema. Objects begin with apiVersion, kind and metadata; the other fields keep the
 * order in which they were sent.
 */
final class CustomForm implements ObjectForm {
  private static final List<String> FIRST = List.of("apiVersion", "kind", "metadata");

  /** Clients clear the managed fields by sending an empty list. */
  private static final EmptyFields OWNERS = EmptyFields.at("managedFields");

  private final VersionSchema schema;
  private final StructShape shape;

  /**
   * @param name the name of the schema in OpenAPI documents
   * @param selectable the fields that field selectors can use
   */
  CustomForm(String name, VersionSchema schema, List<String> selectable) {
    this.schema = schema;
    this.shape =
        StructShape.defined(
            name,
            schema.isOpen() ? StructShape.FREE : null,
            () -> published(schema, selectable),
            () -> SchemaShapes.root(schema));
  }

  private static byte[] published(VersionSchema schema, List<String> selectable) {
    if (selectable.isEmpty()) {
      return schema.text();
    }
    var fields =
        JsonArray.of(selectable.stream().map(path -> JsonObject.of("fieldPath", path)).toList());
    return JsonWriter.bytes(schema.source().with("x-kubernetes-selectable-fields", fields));
  }

  @Override
  public StructShape shape() {
    return shape;
  }

  @Override
  public Typed read(Document document, @Nullable JsonObject origin) {
    var complaints = new ArrayList<>(document.complaints());
    complaints.addAll(UnknownFields.in(document));
    var sent = document.value() instanceof JsonObject object ? object : JsonObject.EMPTY;
    var unknown = new ArrayList<String>();
    var read = (JsonObject) SentNumbers.normal(coerced(sent, false, unknown::add));
    unknown.forEach(path -> complaints.add("unknown field \"" + path + "\""));
    return new Typed(read, complaints);
  }

  /**
   * The object with unknown fields pruned and metadata in canonical form.
   *
   * @param lenient whether to drop unreadable values, as for stored objects
   * @param unknown receives the pruned fields
   * @throws dev.muster.wire.DecodeException when a value is unreadable
   */
  JsonObject coerced(JsonObject object, boolean lenient, Consumer<String> unknown) {
    var metadata = object.get("metadata");
    var read =
        metadata == null
            ? null
            : SentMetadata.read(
                metadata, OWNERS, lenient, field -> unknown.accept("metadata." + field));
    Json content = object;
    if (!schema.keepsEverything()) {
      var pruned = new ArrayList<String>(0);
      content = Pruning.prune(content, schema.structural(), true, pruned::add);
      Collections.sort(pruned);
      pruned.forEach(unknown);
      content = Defaulting.dropNulls(content, schema.structural());
    }
    if (schema.hasEmbedded()) {
      var within = new ArrayList<String>(0);
      content =
          new EmbeddedObjects(lenient, within::add)
              .coerced(content, schema.structural(), FieldPath.ROOT);
      Collections.sort(within);
      within.forEach(unknown);
    }
    var result = (JsonObject) content;
    return read == null ? result : result.with("metadata", read);
  }

  /** The object as this version holds it, after a conversion to this version. */
  JsonObject converted(JsonObject object) {
    return normal(coerced(object, false, path -> {}), null);
  }

  /**
   * The object with the schema's defaults. In the metadata of embedded objects, defaults of unknown
   * fields are dropped.
   */
  JsonObject filled(JsonObject object) {
    var filled = Defaulting.fill(object, schema.structural());
    if (filled != object && schema.hasEmbedded()) {
      filled =
          new EmbeddedObjects(true, unknown -> {})
              .coerced(filled, schema.structural(), FieldPath.ROOT);
    }
    return (JsonObject) filled;
  }

  @Override
  public JsonObject normal(JsonObject object, @Nullable JsonObject origin) {
    var metadata = object.get("metadata");
    boolean same = metadata == null || (origin != null && metadata == origin.get("metadata"));
    var result =
        same || !(metadata instanceof JsonObject members)
            ? object
            : object.with("metadata", SentMetadata.normal(members));
    return isInOrder(result) ? result : inOrder(result);
  }

  private static boolean isInOrder(JsonObject object) {
    int at = 0;
    for (var name : FIRST) {
      if (at < object.size() && object.key(at).equals(name)) {
        at++;
      } else if (object.has(name)) {
        return false;
      }
    }
    return true;
  }

  private static JsonObject inOrder(JsonObject object) {
    var ordered = JsonObject.builder();
    for (var name : FIRST) {
      ordered.putIf(name, object.get(name));
    }
    for (int i = 0; i < object.size(); i++) {
      if (!FIRST.contains(object.key(i))) {
        ordered.append(object.key(i), object.value(i));
      }
    }
    return ordered.build();
  }
}
