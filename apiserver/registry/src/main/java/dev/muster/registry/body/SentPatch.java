package dev.muster.registry.body;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.patch.JsonPatch;
import dev.muster.patch.MergePatch;
import dev.muster.patch.StrategicMerge;
import dev.muster.schema.StructShape;
import dev.muster.types.options.WriteOptions;
import dev.muster.wire.DecodeException;
import dev.muster.wire.Document;
import dev.muster.wire.Duplicates;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The patch of a request. It is decoded only when its target object is known: a patch of a missing
 * object answers NotFound even if the patch is invalid. Only one thread uses it.
 */
public final class SentPatch {
  private static final String JSON_PATCH = "application/json-patch+json";
  private static final String MERGE_PATCH = "application/merge-patch+json";
  private static final String STRATEGIC = "application/strategic-merge-patch+json";

  /** The content types of patches other than server-side apply. */
  public static final List<String> TYPES = List.of(JSON_PATCH, MERGE_PATCH, STRATEGIC);

  /** The content types that need no schema to merge lists. */
  public static final List<String> SCHEMALESS_TYPES = List.of(JSON_PATCH, MERGE_PATCH);

  private final String type;
  private final byte[] body;
  private final boolean checked;
  private @Nullable Document document;

  public SentPatch(String type, byte[] body, WriteOptions.Strictness strictness) {
    this.type = type;
    this.body = body;
    this.checked = strictness != WriteOptions.Strictness.IGNORE;
  }

  public boolean isStrategic() {
    return type.equals(STRATEGIC);
  }

  /** Applies the patch to the object. The result need not be a JSON object. */
  Json applied(StructShape shape, JsonObject shown) {
    var patch = document().value();
    return switch (type) {
      case JSON_PATCH -> read(patch).apply(shown);
      case MERGE_PATCH -> merged(shown, patch);
      default -> StrategicMerge.apply(shape, shown, StrategicMerge.parse(patch));
    };
  }

  private Json merged(JsonObject shown, Json patch) {
    if (checked || patch instanceof JsonObject) {
      return MergePatch.apply(shown, MergePatch.parse(patch));
    }
    if (patch instanceof JsonArray list) {
      return MergePatch.replacement(list);
    }
    throw MergePatch.unreadable();
  }

  /** The field validation errors of the patch itself. */
  List<String> complaints() {
    return document().complaints();
  }

  /**
   * The result of the patch as a document, which keeps repeated keys that a JSON patch contains.
   */
  Document result(Json patched) {
    return new Document(patched, List.of(), document().duplicates());
  }

  /** The object description that kube-apiserver prints in errors about a patch result. */
  String description(StructShape shape, JsonObject shown) {
    return isStrategic()
        ? StrategicMerge.describe(shape, shown, document().value())
        : new String(JsonWriter.bytes(printed(shown)), StandardCharsets.UTF_8);
  }

  /** The result of a merge or JSON patch, in the field order of kube-apiserver. */
  Json printed(JsonObject shown) {
    var patch = document().value();
    if (type.equals(JSON_PATCH)) {
      return read(patch).applyInPrintedOrder(shown);
    }
    return patch instanceof JsonObject changes
        ? MergePatch.applyInPrintedOrder(shown, changes)
        : merged(shown, patch);
  }

  private JsonPatch read(Json patch) {
    return checked ? JsonPatch.parse(patch) : JsonPatch.parseUnchecked(patch);
  }

  private Document document() {
    if (document == null) {
      document = read();
    }
    return Objects.requireNonNull(document);
  }

  private Document read() {
    Document patch;
    try {
      patch = JsonReader.document(body);
    } catch (DecodeException e) {
      if (!checked && type.equals(MERGE_PATCH)) {
        throw MergePatch.unreadable();
      }
      throw ApiException.badRequest(
          checked && !isStrategic() ? "error decoding patch: " + e.text() : e.text());
    }
    if (!checked) {
      return new Document(patch.value(), List.of(), Duplicates.NONE);
    }
    var complaints = new ArrayList<>(patch.complaints());
    if (!type.equals(JSON_PATCH)) {
      // A merged object contains no repeated keys, so only the patch can have errors.
      complaints.addAll(UnknownFields.in(patch));
      return new Document(patch.value(), complaints, Duplicates.NONE);
    }
    JsonPatch.parse(patch.value());
    UnknownFields.inPatch(patch).forEach(complaint -> complaints.add("json patch " + complaint));
    return new Document(patch.value(), complaints, patch.duplicates());
  }
}
