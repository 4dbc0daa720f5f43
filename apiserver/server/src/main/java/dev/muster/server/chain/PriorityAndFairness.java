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
 * Requests run by the FlowSchemas and PriorityLevelConfigurations of the cluster: each belongs to a
 * flow of a level, and waits in one of the flow's queues while its level has no seats for it. Safe
 * for any thread; nobody is blocked, who waits is called on its event loop.
 */
public final class PriorityAndFairness implements FlowControl {
  /** Nobody waits for longer, however long it may take. */
  private static final long LONGEST_WAIT = Duration.ofMinutes(1).toNanos();

  /**
   * So many requests of a level run for every two cores: two compute, and the next is on its way
   * from one thread to another.
   */
  private static final int RUNNING_PER_TWO_CORES = 3;

  /** So many objects tell how large the others are. */
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
   * @param requestTimeout how long a request may take; it may wait for a quarter of that
   * @param waited hears for how many nanoseconds a request had to wait that runs now
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

  /** How requests that read, or those that write, wait and run. */
  public KindUsage usage(boolean writes, boolean waiting) {
    var kind = writes ? writing : reading;
    return waiting ? kind.waiting() : kind.executing();
  }

  /** Levels lend and borrow seats; to be called every ten seconds. */
  public void adjust() {
    objects.refresh();
    levels.adjust(System.nanoTime());
  }

  /** Lets nobody wait for requests that take very long; to be called every tenth of a second. */
  public void passOverdue() {
    levels.passOverdue(System.nanoTime());
  }

  /** Connections to elsewhere take as long as they like, and belong to no level. */
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

  /** A quarter of the time that it has, counted from when it came. */
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

  /** Watches may begin where another ended; who asks for one name gets one object. */
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

  /** About how large the objects are that are listed. */
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

  /** What answers the paths on which levels, queues and requests are shown. */
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
