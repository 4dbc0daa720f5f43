package dev.muster.server.options.audit;

import dev.muster.server.options.flag.FileKind;
import dev.muster.server.options.flag.Flag;
import dev.muster.server.options.flag.FlagGroup;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Options of the audit webhook. */
@FlagGroup("Audit")
public record AuditWebhookOptions(
    @Flag(
            name = "audit-webhook-config-file",
            file = FileKind.TEXT,
            help = "Kubeconfig that says where events are posted, and as whom.")
        @Nullable Path configFile,
    @Flag(name = "audit-webhook-version", help = "API group and version of the events.")
        String version,
    @Flag(
            name = "audit-webhook-initial-backoff",
            help = "How long the first repetition of a failed post waits; each waits longer.")
        Duration initialBackoff,
    @Flag(
            name = "audit-webhook-batch-initial-backoff",
            help = "Old name of --audit-webhook-initial-backoff, which counts when both are given.")
        @Nullable Duration oldInitialBackoff,
    @Flag(
            name = "audit-webhook-mode",
            help =
                "Whether answers wait for their events: batch, blocking, or blocking-strict, which"
                    + " refuses requests that cannot be told.")
        AuditMode mode,
    @Flag(
            name = "audit-webhook-batch-buffer-size",
            help = "Events that wait to be posted at most, in batch mode.")
        int bufferSize,
    @Flag(
            name = "audit-webhook-batch-max-size",
            help = "Events that are posted together at most, in batch mode.")
        int batchSize,
    @Flag(
            name = "audit-webhook-batch-max-wait",
            help = "How long an event waits for others, in batch mode.")
        Duration batchWait,
    @Flag(
            name = "audit-webhook-batch-throttle-enable",
            help = "Limit how often is posted, in batch mode.")
        boolean throttle,
    @Flag(
            name = "audit-webhook-batch-throttle-qps",
            help = "Batches a second, in batch mode with a limit.")
        double qps,
    @Flag(
            name = "audit-webhook-batch-throttle-burst",
            help = "Batches at once after a pause, in batch mode with a limit.")
        int burst,
    @Flag(
            name = "audit-webhook-truncate-enabled",
            help = "Leave the objects out of events that are too large.")
        boolean truncate,
    @Flag(
            name = "audit-webhook-truncate-max-batch-size",
            help = "Bytes that are posted together, with truncation.")
        int maxBatchBytes,
    @Flag(
            name = "audit-webhook-truncate-max-event-size",
            help = "Bytes of an event, with truncation.")
        int maxEventBytes) {

  private static final Duration INITIAL_BACKOFF = Duration.ofSeconds(10);

  public AuditWebhookOptions {
    if (configFile != null) {
      new AuditBatch(bufferSize, batchSize, batchWait, throttle, qps, burst).check("webhook", mode);
      new AuditTruncation(truncate, maxBatchBytes, maxEventBytes).check("webhook");
      AuditChecks.version(version);
    }
  }

  /** How long the first retry waits. */
  public Duration backoff() {
    var old = oldInitialBackoff;
    return old == null || !initialBackoff.equals(INITIAL_BACKOFF) ? initialBackoff : old;
  }

  public AuditBatch batch() {
    return new AuditBatch(bufferSize, batchSize, batchWait, throttle, qps, burst);
  }

  public AuditTruncation truncation() {
    return new AuditTruncation(truncate, maxBatchBytes, maxEventBytes);
  }

  public static AuditWebhookOptions defaults() {
    return new AuditWebhookOptions(
        null,
        "audit.k8s.io/v1",
        INITIAL_BACKOFF,
        null,
        AuditMode.BATCH,
        10_000,
        400,
        Duration.ofSeconds(30),
        true,
        10,
        15,
        false,
        10 * 1024 * 1024,
        100 * 1024);
  }
}
