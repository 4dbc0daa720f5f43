package dev.muster.server.chain;

import dev.muster.registry.scheduling.FairScheduler;
import dev.muster.server.request.RequestInfo;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * How many requests run at the same time, and for how long. Safe for any thread.
 *
 * @param reading the places of those that change nothing
 * @param writing the places of those that do; may be the same ones
 * @param timeout how long a request may take
 * @param refusing whether the server is stopping and takes no more
 * @param cpu who may use the CPU for long, and when
 */
public record RequestLimits(
    InFlight reading,
    InFlight writing,
    Duration timeout,
    BooleanSupplier refusing,
    FairScheduler cpu) {

  InFlight places(RequestInfo info) {
    return info.isWrite() ? writing : reading;
  }
}
