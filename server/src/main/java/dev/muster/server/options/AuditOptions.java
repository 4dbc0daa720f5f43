package dev.muster.server.options;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What is told about requests, and to whom. Without a policy nothing is. */
@FlagGroup("Audit")
public record AuditOptions(
    @Flag(
            name = "audit-policy-file",
            help =
                "File that says which requests are logged and how much of them, a Policy of"
                    + " audit.k8s.io/v1. Without it, none is.")
        @Nullable Path policyFile,
    AuditLogOptions log,
    AuditWebhookOptions webhook)
    implements OptionGroup {

  /**
   * How events wait in batch mode.
   *
   * @param size events that wait at most
   * @param maxSize events that are sent together at most
   * @param maxWait how long an event waits for others
   * @param throttle whether qps and burst count
   * @param qps how often a second something is sent
   */
  public record Batch(
      int size, int maxSize, Duration maxWait, boolean throttle, double qps, int burst) {

    void check(String backend, AuditMode mode) {
      if (mode != AuditMode.BATCH) {
        return;
      }
      positive("invalid audit batch " + backend + " buffer size ", size);
      positive("invalid audit batch " + backend + " max batch size ", maxSize);
      if (throttle) {
        if (!(qps > 0)) {
          throw new IllegalArgumentException(
              "invalid audit batch "
                  + backend
                  + " throttle QPS "
                  + qps
                  + ", must be a positive number");
        }
        positive("invalid audit batch " + backend + " throttle burst ", burst);
      }
    }
  }

  /**
   * What becomes of events that are large.
   *
   * @param enabled whether events are truncated at all
   * @param maxBatchSize bytes that are sent together
   * @param maxEventSize bytes of an event
   */
  public record Truncation(boolean enabled, int maxBatchSize, int maxEventSize) {

    void check(String backend) {
      positive("invalid audit truncate " + backend + " max event size ", maxEventSize);
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

  private static void positive(String what, int value) {
    if (value <= 0) {
      throw new IllegalArgumentException(what + value + ", must be a positive number");
    }
  }

  /**
   * @throws IllegalArgumentException for any other than the one that is written
   */
  static void checkVersion(String version) {
    if (!version.equals("audit.k8s.io/v1")) {
      throw new IllegalArgumentException(
          "invalid group version, allowed versions are [\"audit.k8s.io/v1\"]");
    }
  }

  public static AuditOptions defaults() {
    return new AuditOptions(null, AuditLogOptions.defaults(), AuditWebhookOptions.defaults());
  }
}
