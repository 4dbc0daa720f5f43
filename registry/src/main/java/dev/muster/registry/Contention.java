package dev.muster.registry;

import dev.muster.model.ApiException;
import dev.muster.model.Reason;
import dev.muster.model.StatusDetails;

/** A write that lost against others too often. */
final class Contention {
  private Contention() {}

  static ApiException of(Call call, String name) {
    return new ApiException(
        Reason.SERVER_TIMEOUT,
        "The " + call.type().groupResource() + " \"" + name + "\" changed too often; try again",
        StatusDetails.of(call.type().groupResource(), name).withRetryAfter(1));
  }
}
