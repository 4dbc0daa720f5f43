package dev.muster.registry.body;

import dev.muster.model.GroupKind;
import dev.muster.model.GroupVersionKind;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.registry.request.ResourceRequest;
import dev.muster.schema.Schemas;
import dev.muster.schema.read.ObjectForm;
import dev.muster.schema.read.TreeFaults;
import dev.muster.schema.read.TypedReader;
import dev.muster.types.ServedType;
import dev.muster.types.options.WriteOptions;
import dev.muster.wire.DecodeException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Applies patches to objects of one kind and decodes the results as that kind. Only one thread uses
 * it.
 */
public record PatchReader(
    ResourceRequest call,
    GroupVersionKind kind,
    ObjectForm form,
    SentPatch patch,
    WriteOptions options,
    KindMismatch foreign) {

  /**
   * The patched object in the version of the kind.
   *
   * @param shown the object to patch
   * @param origin the same object, if it is known to be in canonical form
   */
  public JsonObject patched(JsonObject shown, @Nullable JsonObject origin) {
    var patched = patch.applied(form.shape(), shown);
    if (!(patched instanceof JsonObject object)) {
      throw invalid(shown, BodyErrors.notAnObject(patched));
    }
    try {
      var given = patch.isStrategic() ? kind : KindMismatch.ofPatched(object, kind);
      boolean custom = call.type().isCustom() && kind.equals(call.type().kind());
      if (custom && given.groupVersion().equals(kind.groupVersion())) {
        var typed = read(object, null);
        complain(shown, typed.complaints());
        return named(typed.object(), given);
      }
      if (!given.equals(kind)) {
        var type = otherVersion(shown, given, object);
        if (type != null) {
          return inOtherVersion(shown, type, object);
        }
      }
      var typed = read(object, origin);
      boolean several = typed.complaints().size() > 1 && !patch.isStrategic();
      complain(shown, several ? inPrintedOrder(shown, object).complaints() : typed.complaints());
      return named(typed.object(), kind);
    } catch (DecodeException e) {
      var fault =
          patch.isStrategic() ? TreeFaults.first(form.shape(), object) : first(shown, object);
      throw invalid(shown, fault == null ? e.text() : fault);
    }
  }

  /**
   * The first error when the result is decoded in upstream's field order; null when that finds no
   * error.
   */
  private @Nullable String first(JsonObject shown, JsonObject patched) {
    try {
      if (KindMismatch.ofPatched(patched, kind).equals(kind)) {
        inPrintedOrder(shown, patched);
      }
      return null;
    } catch (DecodeException e) {
      return e.text();
    }
  }

  private TypedReader.Typed inPrintedOrder(JsonObject shown, JsonObject patched) {
    var printed = patch.printed(shown) instanceof JsonObject object ? object : patched;
    return form.read(patch.result(printed), null);
  }

  /** The error response for a patch whose result cannot be decoded. */
  public ApiException invalid(JsonObject shown, String why) {
    return ApiException.invalid(
        new GroupKind("", ""),
        "",
        List.of(
            FieldError.invalid(
                FieldPath.of("patch"), patch.description(form.shape(), shown), why)));
  }

  /**
   * The type of the other version that the result declares; null when the result is read as this
   * version.
   *
   * @throws ApiException when an object of this kind cannot have that kind or version
   */
  private @Nullable ServedType otherVersion(
      JsonObject shown, GroupVersionKind given, JsonObject patched) {
    if (Schemas.of(kind) == null) {
      if (given.version().equals(KindMismatch.INTERNAL) && given.kind().equals(kind.kind())) {
        return null;
      }
      throw invalid(shown, "the kind and the version of an object cannot be changed");
    }
    if (given.version().equals(KindMismatch.INTERNAL)
        && given.groupKind().equals(kind.groupKind())) {
      throw withoutVersion(shown, patched);
    }
    if (!foreign.isOtherVersion(given, kind)) {
      throw invalid(shown, foreign.why(given, kind, patched));
    }
    return foreign.types().get().ofKind(given);
  }

  private JsonObject inOtherVersion(JsonObject shown, ServedType type, JsonObject patched) {
    var typed = type.form().read(patch.result(patched), null);
    complain(shown, typed.complaints());
    var stored = type.toStored(named(typed.object(), type.kind()));
    return call.type().fromStored(stored);
  }

  /**
   * A kind without a version is upstream's internal type: its fields have other names, so the
   * object has no name.
   */
  private ApiException withoutVersion(JsonObject shown, JsonObject patched) {
    var unknown =
        patched.keys().stream()
            .filter(key -> !key.equals("kind") && !key.equals("apiVersion"))
            .sorted()
            .map(key -> "unknown field " + GoText.quote(key))
            .toList();
    complain(shown, unknown);
    return call.nameless();
  }

  private static JsonObject named(JsonObject object, GroupVersionKind kind) {
    return object.with("kind", kind.kind()).with("apiVersion", kind.apiVersion());
  }

  /**
   * Decodes the result. After a strategic merge patch a number is an integer if its value is whole,
   * because upstream then decodes a tree and not text.
   */
  private TypedReader.Typed read(JsonObject patched, @Nullable JsonObject origin) {
    try {
      return form.read(patch.result(patched), origin);
    } catch (DecodeException e) {
      if (!patch.isStrategic() || TreeFaults.first(form.shape(), patched) != null) {
        throw e;
      }
      return form.read(patch.result(WholeNumbers.in(patched)), null);
    }
  }

  private void complain(JsonObject shown, List<String> ofResult) {
    var complaints = new ArrayList<>(patch.complaints());
    complaints.addAll(patch.isStrategic() ? ofResult.stream().sorted().toList() : ofResult);
    if (complaints.isEmpty()) {
      return;
    }
    switch (options.fieldValidation()) {
      case IGNORE -> {}
      case WARN -> complaints.forEach(call.warnings());
      case STRICT ->
          throw invalid(shown, "strict decoding error: " + String.join(", ", complaints));
    }
  }
}
