package dev.muster.registry.write;

import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.registry.request.ResourceRequest;
import dev.muster.types.ObjectMeta;
import dev.muster.types.options.WriteOptions;

/** Replaces whole objects. Its methods block and run on virtual threads. */
public final class PutHandler {
  private final UpdateHandler updates;

  public PutHandler(UpdateHandler updates) {
    this.updates = updates;
  }

  /**
   * @param object the object in the request body, in its stored version, with defaults
   */
  public WriteResult put(ResourceRequest resourceRequest, JsonObject object, WriteOptions options) {
    CreateHandler.matchNamespace(resourceRequest, object);
    checkName(resourceRequest, object);
    boolean creates =
        SubresourceView.of(resourceRequest).mayCreate()
            && resourceRequest.type().strategy().createsOnUpdate();
    return updates.update(
        resourceRequest, (attempt, existing) -> object, options, WriteSemantics.put(creates));
  }

  /** The body must contain the name in the path. */
  static void checkName(ResourceRequest resourceRequest, JsonObject object) {
    var name = ObjectMeta.name(object);
    if (name.isEmpty()) {
      throw resourceRequest.nameless();
    }
    if (!name.equals(resourceRequest.name())) {
      throw ApiException.badRequest(
          "the name of the object ("
              + name
              + ") does not match the name on the URL ("
              + resourceRequest.name()
              + ")");
    }
  }
}
