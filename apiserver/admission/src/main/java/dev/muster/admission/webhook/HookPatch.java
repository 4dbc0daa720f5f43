package dev.muster.admission.webhook;

import dev.muster.admission.matching.MatchedVersion;
import dev.muster.model.GroupVersion;
import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.patch.JsonPatch;
import dev.muster.patch.PatchProblem;
import dev.muster.registry.body.InternalTypes;
import dev.muster.wire.DecodeException;
import dev.muster.wire.Document;
import dev.muster.wire.JsonReader;

/**
 * The JSON patch of a mutating webhook. A failure to apply it fails the request, whatever the
 * failure policy, because the call itself succeeded.
 */
final class HookPatch {
  private final Json operations;
  private final JsonPatch patch;

  private HookPatch(Json operations, JsonPatch patch) {
    this.operations = operations;
    this.patch = patch;
  }

  /**
   * Parses a patch.
   *
   * @throws CallFailedException when it is no JSON patch
   */
  static HookPatch of(String hook, byte[] bytes) throws CallFailedException {
    try {
      var operations = JsonReader.read(bytes);
      return new HookPatch(operations, JsonPatch.parseUnchecked(operations));
    } catch (DecodeException e) {
      throw undecodable(hook, e.text());
    } catch (ApiException e) {
      throw undecodable(hook, e.text());
    }
  }

  private static CallFailedException undecodable(String hook, String why) {
    return new CallFailedException(
        hook, 503, "received undecodable patch in webhook response: " + why);
  }

  JsonArray operations() {
    return operations instanceof JsonArray list ? list : JsonArray.EMPTY;
  }

  boolean isEmpty() {
    return operations == JsonNull.NULL || (operations instanceof JsonArray list && list.isEmpty());
  }

  /**
   * Applies the patch.
   *
   * @param shown the object as sent to the webhook
   * @throws ApiException InternalError when the patch does not apply or changes the kind
   */
  JsonObject applied(MatchedVersion version, JsonObject shown) {
    Json patched;
    try {
      patched = patch.apply(shown);
    } catch (ApiException e) {
      throw ApiException.internal(PatchProblem.of(operations, shown));
    }
    try {
      if (!(patched instanceof JsonObject object)) {
        throw new DecodeException("couldn't get version/kind; json parse error");
      }
      var named = named(version, object);
      return version.form().read(new Document(named), null).object();
    } catch (DecodeException e) {
      throw ApiException.internal(e.text());
    }
  }

  /** Fills in a missing kind; a patch must not change it. */
  private static JsonObject named(MatchedVersion version, JsonObject object) {
    var kind = version.kind();
    var given = object.string("apiVersion");
    var groupVersion = given.isEmpty() ? kind.groupVersion() : GroupVersion.parse(given);
    var name = object.string("kind").isEmpty() ? kind.kind() : object.string("kind");
    var made = new GroupVersionKind(groupVersion.group(), groupVersion.version(), name);
    if (!made.equals(kind)) {
      throw new ApiException(
          Reason.UNKNOWN,
          "converting (%s.%s) to (%s): unknown conversion"
              .formatted(made.version(), made.kind(), InternalTypes.name(kind)));
    }
    return object.with("kind", name).with("apiVersion", kind.apiVersion());
  }
}
