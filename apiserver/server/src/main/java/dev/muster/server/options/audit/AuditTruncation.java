package dev.muster.server.options.audit;

/**
 * The truncation of large audit events.
 *
 * @param enabled whether events are truncated at all
 * @param maxBatchSize bytes that are sent together
 * @param maxEventSize bytes of an event
 */
public record AuditTruncation(boolean enabled, int maxBatchSize, int maxEventSize) {

  void check(String backend) {
    AuditChecks.positive("invalid audit truncate " + backend + " max event size ", maxEventSize);
    if (maxBatchSize < maxEventSize) {
      throw new IllegalArgumentException(
          "invalid audit truncate "
              + backend
              + " max batch size "
              + maxBatchSize
              + ", must be greater than max event size ("
              + maxEventSize
              + ")");
    }
  }
}
