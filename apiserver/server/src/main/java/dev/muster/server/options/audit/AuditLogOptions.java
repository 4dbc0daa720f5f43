package dev.muster.server.options.audit;

import dev.muster.model.Spelled;
import dev.muster.server.options.flag.FileKind;
import dev.muster.server.options.flag.Flag;
import dev.muster.server.options.flag.FlagGroup;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Options of the audit log file. */
@FlagGroup("Audit")
public record AuditLogOptions(
    @Flag(
            name = "audit-log-path",
            file = FileKind.OUTPUT,
            help = "File for the events, one on a line. -: standard output.")
        @Nullable String path,
    @Flag(
            name = "audit-log-format",
            help = "How an event is written: json, or legacy for a line of text.")
        Format format,
    @Flag(name = "audit-log-version", help = "API group and version of the events in the file.")
        String version,
    @Flag(
            name = "audit-log-maxage",
            help = "Days for which old files are kept, by the time in their names. 0: for ever.")
        int maxAge,
    @Flag(name = "audit-log-maxbackup", help = "Old files that are kept. 0: all of them.")
        int maxBackups,
    @Flag(name = "audit-log-maxsize", help = "Megabytes after which a new file is begun. 0: never.")
        int maxSize,
    @Flag(name = "audit-log-compress", help = "Compress old files with gzip.") boolean compress,
    @Flag(
            name = "audit-log-mode",
            help =
                "Whether answers wait for their events: batch, blocking, or blocking-strict, which"
                    + " refuses requests that cannot be logged.")
        AuditMode mode,
    @Flag(
            name = "audit-log-batch-buffer-size",
            help = "Events that wait to be written at most, in batch mode.")
        int bufferSize,
    @Flag(
            name = "audit-log-batch-max-size",
            help = "Events that are written together at most, in batch mode.")
        int batchSize,
    @Flag(
            name = "audit-log-batch-max-wait",
            help = "How long an event waits for others, in batch mode.")
        Duration batchWait,
    @Flag(
            name = "audit-log-batch-throttle-enable",
            help = "Limit how often is written, in batch mode.")
        boolean throttle,
    @Flag(
            name = "audit-log-batch-throttle-qps",
            help = "Batches a second, in batch mode with a limit.")
        double qps,
    @Flag(
            name = "audit-log-batch-throttle-burst",
            help = "Batches at once after a pause, in batch mode with a limit.")
        int burst,
    @Flag(
            name = "audit-log-truncate-enabled",
            help = "Leave the objects out of events that are too large.")
        boolean truncate,
    @Flag(
            name = "audit-log-truncate-max-batch-size",
            help = "Bytes that are written together, with truncation.")
        int maxBatchBytes,
    @Flag(name = "audit-log-truncate-max-event-size", help = "Bytes of an event, with truncation.")
        int maxEventBytes) {

  /** The format of an event in the file. */
  public enum Format implements Spelled {
    LEGACY("legacy"),
    JSON("json");

    private final String spelling;

    Format(String spelling) {
      this.spelling = spelling;
    }

    @Override
    public String spelling() {
      return spelling;
    }
  }

  public AuditLogOptions {
    if (path != null) {
      new AuditBatch(bufferSize, batchSize, batchWait, throttle, qps, burst).check("log", mode);
      new AuditTruncation(truncate, maxBatchBytes, maxEventBytes).check("log");
      AuditChecks.version(version);
      notNegative("audit-log-maxage", maxAge);
      notNegative("audit-log-maxbackup", maxBackups);
      notNegative("audit-log-maxsize", maxSize);
    }
  }

  private static void notNegative(String flag, int value) {
    if (value < 0) {
      throw new IllegalArgumentException("--" + flag + " " + value + " can't be a negative number");
    }
  }

  public AuditBatch batch() {
    return new AuditBatch(bufferSize, batchSize, batchWait, throttle, qps, burst);
  }

  public AuditTruncation truncation() {
    return new AuditTruncation(truncate, maxBatchBytes, maxEventBytes);
  }

  public static AuditLogOptions defaults() {
    return new AuditLogOptions(
        null,
        Format.JSON,
        "audit.k8s.io/v1",
        366,
        100,
        100,
        false,
        AuditMode.BLOCKING,
        10_000,
        1,
        Duration.ZERO,
        false,
        0,
        0,
        false,
        10 * 1024 * 1024,
        100 * 1024);
  }
}
