package dev.muster.server.watch;

import dev.muster.model.ApiException;
import dev.muster.model.JsonObject;
import dev.muster.registry.commit.Commits;
import dev.muster.replica.ReplicaException;
import dev.muster.server.StatusBody;

/** The Status that ends a watch. */
final class WatchErrors {
  private WatchErrors() {}

  static JsonObject expired(ReplicaException failure) {
    return StatusBody.of(
        Commits.translate(failure) instanceof ApiException answer
            ? answer
            : ApiException.internal("the watch cannot go on"));
  }
}
