package dev.muster.registry.write;

import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.registry.options.WriteOptions;
import dev.muster.registry.request.Call;
import dev.muster.registry.types.ObjectMeta;

/** Replaces objects as a whole. Blocks; called on virtual threads. */
public final class PutHandler {
  private final UpdateHandler updates;

  public PutHandler(UpdateHandler updates) {
    this.updates = updates;
  }

  /**
   * @param object as the client sent it, in its stored version, with its defaults
   */
  public Outcome put(Call call, JsonObject object, WriteOptions options) {
    CreateHandler.matchNamespace(call, object);
    checkName(call, object);
    boolean creates =
        SubresourceView.of(call).mayCreate() && call.type().strategy().createsOnUpdate();
    return updates.update(
        call, (attempt, existing) -> object, options, WriteSemantics.put(creates));
  }

  /** The name in the body must be there and be the one in the path. */
  static void checkName(Call call, JsonObject object) {
    var name = ObjectMeta.name(object);
    if (name.isEmpty()) {
      throw call.nameless();
    }
    if (!name.equals(call.name())) {
      throw ApiException.badRequest(
          "the name of the object ("
              + name
              + ") does not match the name on the URL ("
              + call.name()
              + ")");
    }
  }
}
