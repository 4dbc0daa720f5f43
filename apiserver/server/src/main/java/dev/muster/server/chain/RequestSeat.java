package dev.muster.server.chain;

import dev.muster.flowcontrol.Flow;
import dev.muster.flowcontrol.SeatRequest;
import dev.muster.flowcontrol.WorkEstimate;
import dev.muster.flowcontrol.metrics.FlowRefusal;
import dev.muster.flowcontrol.metrics.KindUsage;
import dev.muster.flowcontrol.width.WatchCounts;
import dev.muster.http.Header;
import dev.muster.http.SharedHeaders;
import dev.muster.registry.commit.AuditAnnotations.Layer;
import dev.muster.server.proxy.ProxyConcurrencyLimit;
import dev.muster.server.request.Request;
import dev.muster.server.request.Seat;
import dev.muster.types.scheduling.CpuTask;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The seats of one request at its priority level. The request enters and waits on its event loop;
 * any thread may release its seats.
 */
final class RequestSeat extends SeatRequest implements Seat {
  /** The status in the metrics of a request whose client has gone. No client receives it. */
  private static final int CLIENT_GONE = 499;

  /** How long a request keeps its seats while it waits for a program outside of the server. */
  private static final Duration PATIENCE_WITH_OTHERS = Duration.ofMillis(100);

  private static final String NODE = "spec.nodeName=";

  private static final SharedHeaders SCHEMA_HEADERS =
      new SharedHeaders("x-kubernetes-pf-flowschema-uid");
  private static final SharedHeaders LEVEL_HEADERS =
      new SharedHeaders("x-kubernetes-pf-prioritylevel-uid");

  /**
   * The metrics of reads or of writes, while they wait and while they run.
   *
   * @param waited receives the queue time of each request, in nanoseconds
   */
  record Kind(KindUsage waiting, KindUsage executing, LongConsumer waited) {}

  private final Request request;
  private final Kind kind;
  private final WatchCounts watches;
  private long waitsSince;
  private final ProxyConcurrencyLimit outside;
  private @Nullable Runnable next;
  private @Nullable Future<?> patience;
  private @Nullable Runnable watchEnd;

  /**
   * @param outside limits how many requests wait for programs outside of the server
   */
  RequestSeat(
      Flow flow, Request request, Kind kind, WatchCounts watches, ProxyConcurrencyLimit outside) {
    super(flow, request.attributes());
    this.request = request;
    this.kind = kind;
    this.watches = watches;
    this.outside = outside;
  }

  /**
   * Continues at once or when seats are free, or answers 429.
   *
   * @param patienceNanos how long the request may wait
   */
  void enter(WorkEstimate work, long patienceNanos, Runnable goOn) {
    long now = System.nanoTime();
    switch (start(work, now)) {
      case EXECUTING -> {
        kind.executing().add(1, now);
        kind.waited().accept(0);
        goOn.run();
      }
      case WAITING -> {
        kind.waiting().add(1, now);
        waitsSince = now;
        next = goOn;
        patience =
            request
                .exchange()
                .eventLoop()
                .schedule(this::expired, Math.max(0, patienceNanos), TimeUnit.NANOSECONDS);
        request.exchange().onCancel(this::clientGone);
      }
      case NEW, REFUSED, LINGERING, DONE -> refuse();
    }
  }

  private void refuse() {
    request.answerTooMany(flow().level().retryAfter(System.currentTimeMillis() / 1000));
  }

  @Override
  protected void dispatched() {
    try {
      request.onLoop(this::goOn);
    } catch (RejectedExecutionException e) {
      // The event loop has ended, and with it the request.
      finish(System.nanoTime());
    }
  }

  private void goOn() {
    long now = System.nanoTime();
    stopWaiting(now);
    request.annotations().took(Layer.QUEUE, now - waitsSince);
    kind.executing().add(1, now);
    kind.waited().accept(now - waitsSince);
    var begun = next;
    next = null;
    if (request.exchange().isOver()) {
      request.observed(CLIENT_GONE);
    } else if (begun != null) {
      begun.run();
    }
  }

  private void stopWaiting(long now) {
    kind.waiting().add(-1, now);
    if (patience != null) {
      patience.cancel(false);
    }
  }

  private void expired() {
    long now = System.nanoTime();
    if (cancel(FlowRefusal.TIME_OUT, now)) {
      stopWaiting(now);
      next = null;
      refuse();
    }
  }

  private void clientGone() {
    long now = System.nanoTime();
    if (cancel(FlowRefusal.CANCELLED, now)) {
      stopWaiting(now);
      next = null;
      request.observed(CLIENT_GONE);
    }
  }

  @Override
  public List<Header> headers() {
    return List.of(
        SCHEMA_HEADERS.of(flow().schema().schema().uid()),
        LEVEL_HEADERS.of(flow().level().spec().uid()));
  }

  /** A watch keeps its seats until it has sent its initial events. */
  @Override
  public void answered(int status) {
    if (status >= 300 || !request.info().verb().equals("watch")) {
      leave();
    }
  }

  @Override
  public void waits() {
    pause(System.nanoTime());
  }

  @Override
  public void goesOn() {
    resume(System.nanoTime());
  }

  private void leave() {
    long now = System.nanoTime();
    long lingering = finish(now);
    if (lingering < 0) {
      return;
    }
    kind.executing().add(-1, now);
    if (lingering > 0) {
      try {
        request
            .exchange()
            .eventLoop()
            .schedule(() -> release(System.nanoTime()), lingering, TimeUnit.NANOSECONDS);
      } catch (RejectedExecutionException e) {
        release(now);
      }
    }
  }

  /**
   * A request that waits for long releases its seats for good. Otherwise one hanging program, such
   * as a webhook, could hold all seats of a level. Most requests do not wait for long.
   */
  @Override
  public CpuTask.Waiting waitingForOthers() {
    var place = outside.take(request.user());
    Future<?> leaving;
    try {
      leaving =
          request
              .exchange()
              .eventLoop()
              .schedule(this::leave, PATIENCE_WITH_OTHERS.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      leaving = CompletableFuture.completedFuture(null);
    }
    var timer = leaving;
    return () -> {
      timer.cancel(false);
      place.close();
    };
  }

  @Override
  public void watchOpened() {
    waits();
    if (isCounted()) {
      watchEnd = watches.opened(attributes());
    }
  }

  /**
   * Whether the watch counts as a receiver of events when the cost of a write is estimated. Watches
   * of the pods of one node do not: they receive few events.
   */
  private boolean isCounted() {
    if (!attributes().resource().equals("pods") || !attributes().group().isEmpty()) {
      return true;
    }
    var selector = request.query().first("fieldSelector");
    int at = selector.indexOf(NODE);
    return at < 0 || at + NODE.length() == selector.length();
  }

  @Override
  public void watchInitialised() {
    leave();
  }

  @Override
  public void watchClosed() {
    leave();
    var ended = watchEnd;
    watchEnd = null;
    if (ended != null) {
      ended.run();
    }
  }

  @Override
  protected String path() {
    return request.info().path();
  }
}
