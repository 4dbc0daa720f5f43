package dev.muster.server.chain;

import dev.muster.flowcontrol.FlowDumps;
import dev.muster.flowcontrol.PriorityLevels;
import dev.muster.flowcontrol.WorkEstimate;
import dev.muster.flowcontrol.metrics.KindUsage;
import dev.muster.flowcontrol.width.WatchCounts;
import dev.muster.flowcontrol.width.WorkEstimator;
import dev.muster.replica.Replica;
import dev.muster.replica.snapshot.Range;
import dev.muster.replica.snapshot.ReplicaException;
import dev.muster.server.proxy.ProxyConcurrencyLimit;
import dev.muster.server.request.Request;
import dev.muster.server.request.RequestInfo;
import dev.muster.types.Types;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Runs requests by the FlowSchemas and PriorityLevelConfigurations of the cluster. Each request
 * belongs to a flow of a priority level, and waits in a queue while its level has no free seats.
 * Thread-safe. No thread blocks: a request that waits continues on its event loop.
 */
public final class PriorityAndFairness implements FlowControl {
  /** The longest time that a request waits in a queue, whatever its timeout. */
  private static final long LONGEST_WAIT = Duration.ofMinutes(1).toNanos();

  /**
   * The number of requests of a level that run for every two cores. Two requests compute, and the
   * third is being handed from one thread to another.
   */
  private static final int RUNNING_PER_TWO_CORES = 3;

  /** The number of objects whose average size stands for all objects of a list. */
  private static final int SAMPLE = 4;

  private static final String DUMPS = "/debug/api_priority_and_fairness/";

  private final Replica replica;
  private final PriorityLevels levels;
  private final FlowObjects objects;
  private final Duration requestTimeout;
  private final LongConsumer waited;
  private final WatchCounts watches = new WatchCounts();
  private final ProxyConcurrencyLimit outside = ProxyConcurrencyLimit.standard("webhooks");
  private final RequestSeat.Kind reading;
  private final RequestSeat.Kind writing;

  /**
   * @param seats how many requests run at the same time
   * @param requestTimeout how long a request may take; it may wait in a queue for a quarter of that
   * @param waited receives the queue time of each request that runs, in nanoseconds
   */
  public PriorityAndFairness(
      Replica replica, int seats, Duration requestTimeout, LongConsumer waited) {
    long now = System.nanoTime();
    this.replica = replica;
    this.levels =
        new PriorityLevels(seats, running(Runtime.getRuntime().availableProcessors()), now);
    this.objects = new FlowObjects(replica, levels);
    this.requestTimeout = requestTimeout;
    this.waited = waited;
    this.reading = kind(now);
    this.writing = kind(now);
  }

  private static int running(int cores) {
    return Math.max(2, RUNNING_PER_TWO_CORES * cores / 2);
  }

  private RequestSeat.Kind kind(long now) {
    return new RequestSeat.Kind(
        new KindUsage(levels::mostWaiting, now), new KindUsage(levels::mostExecuting, now), waited);
  }

  public PriorityLevels levels() {
    return levels;
  }

  /** The metrics of waiting or running requests, for reads or for writes. */
  public KindUsage usage(boolean writes, boolean waiting) {
    var kind = writes ? writing : reading;
    return waiting ? kind.waiting() : kind.executing();
  }

  /** Lets priority levels lend and borrow seats. The server calls it every ten seconds. */
  public void adjust() {
    objects.refresh();
    levels.adjust(System.nanoTime());
  }

  /**
   * Dispatches queued requests that wait behind requests which have run too long to be counted. The
   * server calls it every 100 ms.
   */
  public void passOverdue() {
    levels.passOverdue(System.nanoTime());
  }

  /** Proxied connections last as long as their clients like, and belong to no level. */
  @Override
  public void classify(Request request) {
    if (request.info().isConnection()) {
      return;
    }
    objects.refresh();
    request.seat(
        new RequestSeat(
            levels.classify(request.attributes()),
            request,
            request.info().isWrite() ? writing : reading,
            watches,
            outside));
  }

  @Override
  public void admit(Request request, Runnable next) {
    if (request.seat() instanceof RequestSeat seat) {
      seat.enter(estimate(request, seat), patience(request), () -> request.step(next));
    } else {
      next.run();
    }
  }

  /** A quarter of the time between the arrival of the request and its deadline. */
  private long patience(Request request) {
    boolean watch = request.info().verb().equals("watch");
    long allotted =
        watch ? requestTimeout.toNanos() : request.deadline().nanoTime() - request.started();
    return request.started() + Math.min(allotted / 4, LONGEST_WAIT) - System.nanoTime();
  }

  private WorkEstimate estimate(Request request, RequestSeat seat) {
    return switch (request.info().verb()) {
      case "list", "watch" ->
          request.info().resourceRequest() && beginsWithAList(request)
              ? WorkEstimator.list(seat.flow(), bytes(request))
              : WorkEstimate.ONE;
      case "create", "update", "patch", "delete" ->
          request.info().resourceRequest()
              ? WorkEstimator.write(seat.flow(), request.attributes(), watches)
              : WorkEstimate.ONE;
      default -> WorkEstimate.ONE;
    };
  }

  /**
   * Whether the request reads a whole list. A watch that continues from a revision does not, and
   * neither does a request for a single name.
   */
  private static boolean beginsWithAList(Request request) {
    var query = request.query();
    if (!request.info().name().isEmpty()
        || query.first("fieldSelector").startsWith("metadata.name=")) {
      return false;
    }
    var revision = query.first("resourceVersion");
    return !request.info().verb().equals("watch")
        || revision.isEmpty()
        || revision.equals("0")
        || query.isTrue("sendInitialEvents");
  }

  /** The estimated size of all listed objects together, in bytes. */
  private long bytes(Request request) {
    var listed = listed(request.info());
    if (listed == null || listed.isEmpty()) {
      return 0;
    }
    long count = Math.min(listed.count(), limit(request.query().first("limit")));
    long sampled = 0;
    int sample = 0;
    for (var objects = listed.iterator(); sample < SAMPLE && objects.hasNext(); sample++) {
      sampled += objects.next().json().length;
    }
    return count * sampled / sample;
  }

  private @Nullable Range listed(RequestInfo info) {
    try {
      var snapshot = replica.current();
      var type = Types.in(snapshot).find(info.group(), info.version(), info.resource());
      if (type == null) {
        return null;
      }
      var collection = snapshot.collection(type.storage());
      return info.namespace().isEmpty() ? collection.all() : collection.in(info.namespace());
    } catch (ReplicaException e) {
      return null;
    }
  }

  private static long limit(String text) {
    return text.matches("[1-9][0-9]{0,8}") ? Long.parseLong(text) : Long.MAX_VALUE;
  }

  /** The handlers of the debug paths that dump priority levels, queues and requests. */
  public Map<String, Consumer<Request>> dumps(InstantSource clock) {
    return Map.of(
        DUMPS + "dump_priority_levels",
        request -> answer(request, FlowDumps.levels(levels.dump(System.nanoTime()))),
        DUMPS + "dump_queues",
        request -> answer(request, FlowDumps.queues(levels.dump(System.nanoTime()))),
        DUMPS + "dump_requests",
        request -> {
          boolean detailed = !request.query().first("includeRequestDetails").isEmpty();
          long nanos = System.nanoTime();
          var now = clock.instant();
          LongFunction<Instant> time = then -> now.minusNanos(nanos - then);
          answer(request, FlowDumps.requests(levels.dump(nanos), time, detailed));
        });
  }

  private static void answer(Request request, String text) {
    request.answer(200, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
  }
}
