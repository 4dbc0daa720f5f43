package dev.muster.registry;

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
import dev.muster.wire.Encoding;
import dev.muster.wire.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Applies patches of every kind. Blocks; called on virtual threads. */
public final class PatchHandler {
  private final Surroundings around;
  private final UpdateHandler updates;
  private final Bodies bodies;

  public PatchHandler(Surroundings around, UpdateHandler updates, Bodies bodies) {
    this.around = around;
    this.updates = updates;
    this.bodies = bodies;
  }

  public Outcome patch(Call call, String contentType, byte[] body) {
    var name = bare(contentType);
    var applied = bodies.ofApply(name);
    if (applied == null && !SentPatch.TYPES.contains(name)) {
      throw new ApiException(
          Reason.UNSUPPORTED_MEDIA_TYPE, "415: Unsupported Media Type", StatusDetails.EMPTY);
    }
    var options = WriteOptions.parse(call.query(), "PatchOptions", applied != null);
    return applied == null ? merge(call, name, body, options) : apply(call, applied, body, options);
  }

  /** The content type without its parameters, whatever these are. */
  static String bare(String contentType) {
    int end = contentType.indexOf(';');
    return (end < 0 ? contentType : contentType.substring(0, end)).strip();
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
    var name = bare(contentType);
    if (!SentPatch.TYPES.contains(name)) {
      throw new ApiException(
          Reason.UNSUPPORTED_MEDIA_TYPE, "415: Unsupported Media Type", StatusDetails.EMPTY);
    }
    var patch = new SentPatch(name, body, options.fieldValidation());
    return shown -> typed(call, kind, shape, patch.applied(shape, shown), null, patch, options);
  }

  private Outcome merge(Call call, String kind, byte[] body, WriteOptions options) {
    var patch = new SentPatch(kind, body, options.fieldValidation());
    return updates.update(
        call,
        change(call, patch, options),
        options,
        new UpdateHandler.Manner("PatchOptions", false, true));
  }

  private static UpdateHandler.Change change(Call call, SentPatch patch, WriteOptions options) {
    var type = call.type();
    return live -> {
      if (live == null) {
        throw ApiException.notFound(type.groupResource(), call.name());
      }
      var shown = Conversions.fromStored(type, live.tree());
      var patched = patch.applied(type.shape(), shown);
      var origin = shown == live.normal() ? shown : null;
      var typed = typed(call, type.kind(), type.shape(), patched, origin, patch, options);
      CreateHandler.matchNamespace(call, typed);
      PutHandler.checkName(call, typed);
      try {
        return Strategies.of(type).defaults(Conversions.toStored(type, typed));
      } catch (DecodeException e) {
        throw patch.isStrategic()
            ? ApiException.badRequest(e.text())
            : invalidPatch(() -> text(patched), e.text());
      }
    };
  }

  /**
   * The patched document as an object of the type again.
   *
   * @param origin what was patched, if it is known to be in its normal form
   */
  private static JsonObject typed(
      Call call,
      GroupVersionKind kind,
      StructShape shape,
      Json patched,
      @Nullable JsonObject origin,
      SentPatch patch,
      WriteOptions options) {
    boolean strategic = patch.isStrategic();
    Supplier<String> blamed = () -> strategic ? patch.description() : text(patched);
    if (!(patched instanceof JsonObject object)) {
      throw invalidPatch(blamed, Bodies.notAnObject(patched));
    }
    if (!strategic && isOtherKind(object, kind)) {
      throw invalidPatch(blamed, "the kind and the version of an object cannot be changed");
    }
    try {
      var typed = read(shape, patch, object, origin);
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
      return SentEmpty.kept(
          kind,
          patched,
          typed.object().with("kind", kind.kind()).with("apiVersion", kind.apiVersion()));
    } catch (DecodeException e) {
      var fault = strategic ? TreeFaults.first(shape, patched) : null;
      throw invalidPatch(blamed, fault == null ? e.text() : fault);
    }
  }

  /** A strategic patch is merged as a tree, whose numbers only have to be whole to be integers. */
  private static TypedReader.Typed read(
      StructShape shape, SentPatch patch, JsonObject patched, @Nullable JsonObject origin) {
    try {
      return TypedReader.read(shape, patch.result(patched), origin);
    } catch (DecodeException e) {
      if (!patch.isStrategic() || TreeFaults.first(shape, patched) != null) {
        throw e;
      }
      return TypedReader.read(shape, patch.result(WholeNumbers.in(patched)), null);
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
    return updates.update(
        call,
        live -> applied(call, live, bodies.applied(encoding, body), options),
        options,
        new UpdateHandler.Manner("PatchOptions", createsMissing(call), false));
  }

  /**
   * Upstream creates an object that is applied, a policy even by its status, and so with what a PUT
   * creates.
   */
  private static boolean createsMissing(Call call) {
    return call.subresource().isEmpty()
        || call.type().storage().equals("/validatingadmissionpolicies")
        || (SubresourceView.of(call).mayCreate() && Strategies.of(call.type()).createsOnUpdate());
  }

  private JsonObject applied(
      Call call, @Nullable Live live, AppliedBody applied, WriteOptions options) {
    var type = call.type();
    try {
      var tree = live == null ? null : live.tree();
      var result = FieldOwners.apply(call, tree, applied.object(), options, around.now());
      applied.validate(options.fieldValidation(), call.warnings());
      CreateHandler.matchNamespace(call, result);
      PutHandler.checkName(call, result);
      var origin = live == null ? null : live.normal();
      var normal = Normal.of(type, result, origin);
      return Strategies.of(type).defaults(SentEmpty.keptFields(type.stored(), result, normal));
    } catch (DecodeException e) {
      throw ApiException.badRequest(e.text());
    }
  }
}
