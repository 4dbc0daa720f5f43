package dev.muster.server.options.audit;

import java.time.Duration;

/**
 * The queue of audit events in batch mode.
 *
 * @param size the longest queue
 * @param maxSize the most events that are sent together
 * @param maxWait how long an event waits for others
 * @param throttle whether qps and burst apply
 * @param qps how often per second a batch is sent
 */
public record AuditBatch(
    int size, int maxSize, Duration maxWait, boolean throttle, double qps, int burst) {

  void check(String backend, AuditMode mode) {
    if (mode != AuditMode.BATCH) {
      return;
    }
    AuditChecks.positive("invalid audit batch " + backend + " buffer size ", size);
    AuditChecks.positive("invalid audit batch " + backend + " max batch size ", maxSize);
    if (throttle) {
      if (!(qps > 0)) {
        throw new IllegalArgumentException(
            "invalid audit batch "
                + backend
                + " throttle QPS "
                + qps
                + ", must be a positive number");
      }
      AuditChecks.positive("invalid audit batch " + backend + " throttle burst ", burst);
    }
  }
}
