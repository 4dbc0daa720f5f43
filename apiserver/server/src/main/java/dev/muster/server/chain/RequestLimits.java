package dev.muster.server.chain;

import dev.muster.types.scheduling.FairScheduler;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Limits how many requests run at the same time, and for how long. Thread-safe.
 *
 * @param flow decides which requests run and which wait
 * @param timeout how long a request may take
 * @param refusing whether the server is stopping and rejects new requests
 * @param cpu shares the CPU pool among users
 */
public record RequestLimits(
    FlowControl flow, Duration timeout, BooleanSupplier refusing, FairScheduler cpu) {}
