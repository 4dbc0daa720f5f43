package dev.muster.server.watch;

import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.registry.commit.StoreGateway;
import dev.muster.replica.snapshot.ReplicaException;
import dev.muster.server.answer.StatusBody;

/** Creates the Status that ends a watch. */
final class WatchErrors {
  private WatchErrors() {}

  static JsonObject expired(ReplicaException failure) {
    return StatusBody.of(
        StoreGateway.translate(failure) instanceof ApiException answer
            ? answer
            : ApiException.internal("the watch cannot go on"));
  }
}
