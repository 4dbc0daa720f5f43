package dev.muster.server.audit;

import dev.muster.audit.AuditEvent;
import dev.muster.server.options.audit.AuditMode;
import dev.muster.server.options.audit.AuditWebhookOptions;
import dev.muster.wire.Bytes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Sends audit events to a webhook. Thread-safe; virtual threads of its own post. In batch mode one
 * thread gathers events, and a limited number of posts run at the same time: a slow webhook delays
 * and then loses events, but delays no requests. In the other modes each event is posted by itself,
 * and its request waits.
 */
final class WebhookBackend implements AuditBackend {
  private static final int MOST_POSTS = 16;
  private static final long LOOK_AGAIN = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long FAREWELL_SECONDS = 5;
  private static final byte[] HEAD =
      "{\"kind\":\"EventList\",\"apiVersion\":\"audit.k8s.io/v1\",\"metadata\":{},\"items\":["
          .getBytes(StandardCharsets.US_ASCII);

  private final AuditWebhookOptions options;
  private final EventPoster poster;
  private final AuditMetrics metrics;
  private final EventQueue queue;
  private final RateLimiter rateLimiter;
  private final Semaphore posts = new Semaphore(MOST_POSTS);
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("audit-webhook-", 0).factory());
  private final Thread gatherer;
  private volatile boolean closing;

  WebhookBackend(AuditWebhookOptions options, EventPoster poster, AuditMetrics metrics) {
    this.options = options;
    this.poster = poster;
    this.metrics = metrics;
    this.queue = new EventQueue(options.mode() == AuditMode.BATCH ? options.bufferSize() : 1);
    this.rateLimiter = new RateLimiter(options.batch());
    this.gatherer =
        Thread.ofVirtual()
            .name("audit-webhook")
            .start(options.mode() == AuditMode.BATCH ? this::run : () -> {});
  }

  @Override
  public CompletableFuture<Boolean> process(AuditEvent event) {
    if (closing) {
      metrics.error("webhook", 1, "audit backend shut down");
      return CompletableFuture.completedFuture(options.mode() != AuditMode.BLOCKING_STRICT);
    }
    var waiting = new EventQueue.Waiting(event, new CompletableFuture<>());
    if (options.mode() != AuditMode.BATCH) {
      threads.execute(() -> post(List.of(waiting)));
      return waiting.done();
    }
    if (!queue.offer(waiting)) {
      metrics.error("buffered", 1, "audit buffer queue blocked");
    }
    return TAKEN;
  }

  private void run() {
    try {
      while (!closing || !queue.isEmpty()) {
        var batch = gather();
        if (!batch.isEmpty()) {
          if (!closing) {
            rateLimiter.take();
          }
          posts.acquire();
          threads.execute(
              () -> {
                try {
                  post(batch);
                } finally {
                  posts.release();
                }
              });
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Gathers a full batch, or the events that came in time. */
  private List<EventQueue.Waiting> gather() throws InterruptedException {
    var batch = new ArrayList<EventQueue.Waiting>();
    long end = System.nanoTime() + options.batchWait().toNanos();
    while (batch.size() < options.batchSize()) {
      queue.drainTo(batch, options.batchSize() - batch.size());
      long left = end - System.nanoTime();
      if (batch.size() == options.batchSize()
          || closing
          || (left <= 0 && (!batch.isEmpty() || options.batchSize() > 1))) {
        break;
      }
      var next = queue.poll(left > 0 ? Math.min(left, LOOK_AGAIN) : LOOK_AGAIN);
      if (next != null) {
        batch.add(next);
      }
    }
    return batch;
  }

  /** Posts the events, in parts when they are too large for one post. */
  private void post(List<EventQueue.Waiting> batch) {
    var encoder = new EventEncoder(EventEncoder.Form.ITEM, options.truncation(), metrics);
    var body = new Bytes(1024);
    var part = new ArrayList<EventQueue.Waiting>();
    for (var waiting : batch) {
      var item = encoder.begin();
      if (!encoder.add(waiting.event())) {
        waiting.done().complete(true);
        continue;
      }
      if (!part.isEmpty()
          && options.truncate()
          && body.size() + item.size() > options.maxBatchBytes() + HEAD.length) {
        post(part, body);
        part.clear();
      }
      if (part.isEmpty()) {
        body.clear();
        body.add(HEAD);
      } else {
        body.add(',');
      }
      body.add(item.buffer(), 0, item.size());
      part.add(waiting);
    }
    if (!part.isEmpty()) {
      post(part, body);
    }
  }

  private void post(List<EventQueue.Waiting> part, Bytes body) {
    boolean posted = false;
    try {
      body.addAscii("]}\n");
      poster.post(body.toArray());
      posted = true;
    } catch (IOException | RuntimeException e) {
      metrics.error("webhook", part.size(), String.valueOf(e));
    } catch (InterruptedException e) {
      metrics.error("webhook", part.size(), "audit backend shut down");
      Thread.currentThread().interrupt();
    }
    boolean taken = posted || options.mode() != AuditMode.BLOCKING_STRICT;
    part.forEach(waiting -> waiting.done().complete(taken));
  }

  @Override
  public void close() {
    closing = true;
    poster.stopRetrying();
    try {
      if (!gatherer.join(Duration.ofSeconds(FAREWELL_SECONDS))) {
        gatherer.interrupt();
        gatherer.join();
      }
      threads.shutdown();
      if (!threads.awaitTermination(FAREWELL_SECONDS, TimeUnit.SECONDS)) {
        threads.shutdownNow();
        threads.awaitTermination(1, TimeUnit.SECONDS);
      }
      var left = new ArrayList<EventQueue.Waiting>();
      queue.drainTo(left, Integer.MAX_VALUE);
      if (!left.isEmpty()) {
        metrics.error("webhook", left.size(), "audit backend shut down");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
