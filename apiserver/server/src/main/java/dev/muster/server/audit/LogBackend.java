package dev.muster.server.audit;

import dev.muster.audit.AuditEvent;
import dev.muster.audit.AuditStage;
import dev.muster.server.options.audit.AuditLogOptions;
import dev.muster.server.options.audit.AuditMode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Writes audit events to the log file or standard output, in order and in batches. Thread-safe; a
 * thread of its own writes. Events that cannot be written are counted and lost.
 */
final class LogBackend implements AuditBackend {
  private static final int MOST_AT_ONCE = 1024;
  private static final long LOOK_AGAIN = TimeUnit.SECONDS.toNanos(1);

  /**
   * In batch mode no request waits. The writer sleeps for a moment and then writes many events at
   * once.
   */
  private static final long GATHERING = TimeUnit.MILLISECONDS.toNanos(2);

  private static final long FAREWELL = TimeUnit.SECONDS.toMillis(5);

  private final AuditLogOptions options;
  private final LogOutput output;
  private final AuditMetrics metrics;
  private final EventQueue queue;
  private final EventEncoder encoder;
  private final RateLimiter rateLimiter;
  private final Thread writer;
  private volatile boolean closing;

  LogBackend(AuditLogOptions options, LogOutput output, AuditMetrics metrics) {
    this.options = options;
    this.output = output;
    this.metrics = metrics;
    this.queue =
        new EventQueue(
            options.mode() == AuditMode.BATCH ? options.bufferSize() : Integer.MAX_VALUE);
    this.encoder =
        new EventEncoder(
            options.format() == AuditLogOptions.Format.JSON
                ? EventEncoder.Form.LINE
                : EventEncoder.Form.LEGACY_LINE,
            options.truncation(),
            metrics);
    this.rateLimiter = new RateLimiter(options.batch());
    this.writer = Thread.ofPlatform().name("audit-log").daemon().start(this::run);
  }

  @Override
  public CompletableFuture<Boolean> process(AuditEvent event) {
    if (options.mode() == AuditMode.BATCH) {
      offer(new EventQueue.Waiting(event, TAKEN));
      return TAKEN;
    }
    var waiting = new EventQueue.Waiting(event, new CompletableFuture<>());
    if (!offer(waiting)) {
      return CompletableFuture.completedFuture(options.mode() == AuditMode.BLOCKING);
    }
    boolean followed =
        event.stage() == AuditStage.REQUEST_RECEIVED && options.mode() == AuditMode.BLOCKING;
    // The response waits for the following event, which stands behind this one in the queue.
    return followed ? TAKEN : waiting.done();
  }

  private boolean offer(EventQueue.Waiting waiting) {
    if (closing) {
      metrics.error("buffered", 1, "audit backend shut down");
      return false;
    }
    if (!queue.offer(waiting)) {
      metrics.error("buffered", 1, "audit buffer queue blocked");
      return false;
    }
    return true;
  }

  private void run() {
    var taken = new ArrayList<EventQueue.Waiting>();
    try {
      while (!closing || !queue.isEmpty()) {
        var first = queue.poll(closing ? 0 : LOOK_AGAIN);
        if (first != null) {
          taken.add(first);
          gather(taken);
          writeOrGiveUp(taken);
          taken.clear();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      output.close();
    }
  }

  private void gather(List<EventQueue.Waiting> taken) throws InterruptedException {
    if (options.mode() == AuditMode.BATCH && !closing) {
      var batch = options.batch();
      long patience = Math.max(GATHERING, batch.maxSize() > 1 ? batch.maxWait().toNanos() : 0);
      long end = System.nanoTime() + patience;
      TimeUnit.NANOSECONDS.sleep(Math.min(patience, GATHERING));
      queue.drainTo(taken, MOST_AT_ONCE);
      for (long left = end - System.nanoTime();
          left > 0 && taken.size() < batch.maxSize() && !closing;
          left = end - System.nanoTime()) {
        var next = queue.poll(Math.min(left, LOOK_AGAIN));
        if (next != null) {
          taken.add(next);
        }
      }
      rateLimiter.take();
    } else {
      queue.drainTo(taken, MOST_AT_ONCE);
    }
  }

  /** Ensures that the writer continues after any failure, and that no request waits for ever. */
  private void writeOrGiveUp(List<EventQueue.Waiting> taken) {
    try {
      write(taken);
    } catch (RuntimeException | Error e) {
      metrics.error("log", taken.size(), String.valueOf(e));
      taken.forEach(waiting -> waiting.done().complete(options.mode() == AuditMode.BLOCKING));
    }
  }

  /** Writes as many events at once as fit into the file. */
  private void write(List<EventQueue.Waiting> taken) {
    var out = encoder.begin();
    var chunk = new ArrayList<EventQueue.Waiting>(taken.size());
    for (var waiting : taken) {
      int before = out.size();
      if (!encoder.add(waiting.event())) {
        waiting.done().complete(true);
        continue;
      }
      if (before > 0 && out.size() > output.room()) {
        int after = out.size();
        write(out.buffer(), 0, before, chunk);
        chunk.clear();
        var rest = Arrays.copyOfRange(out.buffer(), before, after);
        out.clear();
        out.add(rest);
      }
      chunk.add(waiting);
    }
    if (!chunk.isEmpty()) {
      write(out.buffer(), 0, out.size(), chunk);
    }
  }

  private void write(byte[] buffer, int from, int to, List<EventQueue.Waiting> chunk) {
    boolean written;
    try {
      output.write(buffer, from, to);
      written = true;
    } catch (IOException | RuntimeException e) {
      metrics.error("log", chunk.size(), String.valueOf(e));
      written = options.mode() == AuditMode.BLOCKING;
    }
    for (var waiting : chunk) {
      waiting.done().complete(written);
    }
  }

  @Override
  public void close() {
    closing = true;
    try {
      writer.join(FAREWELL);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
