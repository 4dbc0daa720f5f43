package dev.muster.registry;

import dev.muster.change.JsonPatch;
import dev.muster.change.MergePatch;
import dev.muster.change.StrategicMerge;
import dev.muster.model.ApiException;
import dev.muster.model.FieldError;
import dev.muster.model.FieldPath;
import dev.muster.model.GroupKind;
import dev.muster.model.GroupVersionKind;
import dev.muster.model.Json;
import dev.muster.model.JsonObject;
import dev.muster.model.Reason;
import dev.muster.model.StatusDetails;
import dev.muster.registry.conversion.Conversions;
import dev.muster.schema.StructShape;
import dev.muster.schema.TreeFaults;
import dev.muster.schema.TypedReader;
import dev.muster.wire.DecodeException;
import dev.muster.wire.Document;
import dev.muster.wire.Duplicates;
import dev.muster.wire.Encoding;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonWriter;
import dev.muster.wire.MediaType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Applies patches of every kind. Blocks; called on virtual threads. */
public final class PatchHandler {
  private static final String JSON_PATCH = "application/json-patch+json";
  private static final String MERGE_PATCH = "application/merge-patch+json";
  private static final String STRATEGIC = "application/strategic-merge-patch+json";

  private final Surroundings around;
  private final UpdateHandler updates;
  private final Bodies bodies;

  public PatchHandler(Surroundings around, UpdateHandler updates, Bodies bodies) {
    this.around = around;
    this.updates = updates;
    this.bodies = bodies;
  }

  public Outcome patch(Call call, String contentType, byte[] body) {
    var type = MediaType.parse(contentType);
    var name = type == null ? "" : type.name();
    var applied = bodies.ofApply(type);
    if (applied == null && !List.of(JSON_PATCH, MERGE_PATCH, STRATEGIC).contains(name)) {
      throw new ApiException(
          Reason.UNSUPPORTED_MEDIA_TYPE, "415: Unsupported Media Type", StatusDetails.EMPTY);
    }
    var options = WriteOptions.parse(call.query(), "PatchOptions", applied != null);
    return applied == null ? merge(call, name, body, options) : apply(call, applied, body, options);
  }

  /** A patch of a subresource that is a kind of its own. */
  interface Patched {
    JsonObject of(JsonObject shown);
  }

  Patched of(
      Call call,
      GroupVersionKind kind,
      StructShape shape,
      String contentType,
      byte[] body,
      WriteOptions options) {
    var type = MediaType.parse(contentType);
    var name = type == null ? "" : type.name();
    if (!List.of(JSON_PATCH, MERGE_PATCH, STRATEGIC).contains(name)) {
      throw new ApiException(
          Reason.UNSUPPORTED_MEDIA_TYPE, "415: Unsupported Media Type", StatusDetails.EMPTY);
    }
    var patch = parse(name, body);
    return shown ->
        typed(call, kind, shape, name, patched(name, patch, shape, shown), patch, options);
  }

  private static Document parse(String kind, byte[] body) {
    Document patch;
    try {
      patch = JsonReader.document(body);
    } catch (DecodeException e) {
      throw ApiException.badRequest(
          kind.equals(STRATEGIC) ? e.text() : "error decoding patch: " + e.text());
    }
    var complaints = new ArrayList<>(patch.complaints());
    if (!kind.equals(JSON_PATCH)) {
      // Merging leaves nothing of a repetition: what is wrong is wrong with the patch.
      complaints.addAll(RepeatedKeys.in(patch));
      return new Document(patch.value(), complaints, Duplicates.NONE);
    }
    RepeatedKeys.in(patch).forEach(repeated -> complaints.add("json patch " + repeated));
    complaints.addAll(JsonPatch.parse(patch.value()).unknownFields());
    return new Document(patch.value(), complaints, patch.duplicates());
  }

  private static Json patched(String kind, Document patch, StructShape shape, JsonObject shown) {
    return switch (kind) {
      case JSON_PATCH -> JsonPatch.parse(patch.value()).apply(shown);
      case MERGE_PATCH -> MergePatch.apply(shown, MergePatch.parse(patch.value()));
      default -> StrategicMerge.apply(shape, shown, StrategicMerge.parse(patch.value()));
    };
  }

  private Outcome merge(Call call, String kind, byte[] body, WriteOptions options) {
    var patch = parse(kind, body);
    var change = change(call, kind, patch, options);
    return updates.update(
        call,
        live -> change.of(live),
        options,
        new UpdateHandler.Manner("PatchOptions", false, true));
  }

  private UpdateHandler.Change change(
      Call call, String kind, Document patch, WriteOptions options) {
    var type = call.type();
    return live -> {
      if (live == null) {
        throw ApiException.notFound(type.groupResource(), call.name());
      }
      var shown = Conversions.fromStored(type, live);
      var typed =
          typed(
              call,
              type.kind(),
              type.shape(),
              kind,
              patched(kind, patch, type.shape(), shown),
              patch,
              options);
      PutHandler.checkName(call, typed);
      return Strategies.of(type).defaults(Conversions.toStored(type, typed));
    };
  }

  /** The patched document as an object of the type again. */
  private static JsonObject typed(
      Call call,
      GroupVersionKind kind,
      StructShape shape,
      String patchType,
      Json patched,
      Document patch,
      WriteOptions options) {
    boolean strategic = patchType.equals(STRATEGIC);
    Supplier<String> blamed =
        () -> strategic ? StrategicMerge.describe(patch.value()) : text(patched);
    if (patched instanceof JsonObject object && isOtherKind(object, kind)) {
      throw invalidPatch(blamed, "the kind and the version of an object cannot be changed");
    }
    try {
      var typed = TypedReader.read(shape, new Document(patched, List.of(), patch.duplicates()));
      var complaints = new ArrayList<>(patch.complaints());
      complaints.addAll(
          strategic ? typed.complaints().stream().sorted().toList() : typed.complaints());
      if (!complaints.isEmpty()) {
        switch (options.fieldValidation()) {
          case IGNORE -> {}
          case WARN -> complaints.forEach(call.warnings());
          case STRICT ->
              throw invalidPatch(blamed, "strict decoding error: " + String.join(", ", complaints));
        }
      }
      return Bodies.withReset(patched, typed.object())
          .with("kind", kind.kind())
          .with("apiVersion", kind.apiVersion());
    } catch (DecodeException e) {
      var fault = strategic ? TreeFaults.first(shape, patched) : null;
      throw invalidPatch(blamed, fault == null ? e.text() : fault);
    }
  }

  private static boolean isOtherKind(JsonObject object, GroupVersionKind kind) {
    var named = object.string("kind");
    var version = object.string("apiVersion");
    return (!named.isEmpty() && !named.equals(kind.kind()))
        || (!version.isEmpty() && !version.equals(kind.apiVersion()));
  }

  private static String text(Json patched) {
    return new String(JsonWriter.bytes(patched), StandardCharsets.UTF_8);
  }

  private static ApiException invalidPatch(Supplier<String> blamed, String why) {
    return ApiException.invalid(
        new GroupKind("", ""),
        "",
        List.of(FieldError.invalid(FieldPath.of("patch"), blamed.get(), why)));
  }

  private Outcome apply(Call call, Encoding encoding, byte[] body, WriteOptions options) {
    var applied = bodies.applied(call, encoding, body, options);
    PutHandler.checkName(call, applied);
    UpdateHandler.Change change = live -> applied(call, live, applied, options);
    return updates.update(
        call,
        change,
        options,
        new UpdateHandler.Manner("PatchOptions", call.subresource().isEmpty(), false));
  }

  private JsonObject applied(
      Call call, @Nullable JsonObject live, JsonObject applied, WriteOptions options) {
    var type = call.type();
    try {
      var result = FieldOwners.apply(call, live, applied, options, around.now());
      return Strategies.of(type).defaults(Normal.of(type, result));
    } catch (DecodeException e) {
      throw ApiException.badRequest(e.text());
    }
  }
}
