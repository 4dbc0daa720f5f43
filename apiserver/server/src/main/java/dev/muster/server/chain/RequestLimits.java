package dev.muster.server.chain;

import dev.muster.types.scheduling.FairScheduler;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * How many requests run at the same time, and for how long. Safe for any thread.
 *
 * @param flow who runs now, and who waits
 * @param timeout how long a request may take
 * @param refusing whether the server is stopping and takes no more
 * @param cpu who may use the CPU for long, and when
 */
public record RequestLimits(
    FlowControl flow, Duration timeout, BooleanSupplier refusing, FairScheduler cpu) {}
