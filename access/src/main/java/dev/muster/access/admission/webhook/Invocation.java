package dev.muster.access.admission.webhook;

import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.types.ServedType;

/**
 * A webhook that is to be asked about a request.
 *
 * @param type the resource in the version that the webhook's rules name
 * @param kind of the object that it is sent
 */
record Invocation(Hook hook, ServedType type, GroupVersionKind kind) {

  /** Whether objects are those of the resource and have its versions; a Scale has not. */
  boolean isWhole() {
    return kind.equals(type.kind());
  }

  /** An object of the request in the version of the webhook. */
  JsonObject converted(JsonObject object) {
    return isWhole() ? type.fromStored(object) : object;
  }
}
