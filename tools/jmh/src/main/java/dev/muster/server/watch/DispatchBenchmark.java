package dev.muster.server.watch;

import dev.muster.authorization.Decision;
import dev.muster.registry.builtin.BuiltInTypes;
import dev.muster.registry.read.Selection;
import dev.muster.replica.Replica;
import dev.muster.replica.ReplicaOptions;
import dev.muster.server.answer.ResponseEncoders;
import dev.muster.server.answer.WatchEncoding;
import dev.muster.store.MemoryStore;
import dev.muster.store.Operation;
import dev.muster.store.Transaction;
import dev.muster.types.ServedType;
import dev.muster.types.Types;
import dev.muster.types.options.ListOptions;
import dev.muster.types.options.Query;
import dev.muster.wire.SupportedMediaTypes;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What a change of a pod costs an event loop that has so many watches, each of the pods of one
 * node: from the ring of events to a stream that takes everything. All events of one invocation
 * concern the first 500 nodes, so that as many watches receive something whatever their number is.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init") // JMH sets them.
public class DispatchBenchmark {
  private static final int EVENTS = 5_000;
  private static final int BUSY_NODES = 500;
  private static final Types TYPES = Types.of(BuiltInTypes.all());
  private static final ServedType PODS = Objects.requireNonNull(TYPES.find("", "v1", "pods"));

  @Param({"0", "1000", "5000", "100000"})
  public int watches;

  /** By what each watch selects: its node, or its node and a field that has no index. */
  @Param({"node", "node-and-phase"})
  public String selector;

  private final MemoryStore store = new MemoryStore();
  private final ScheduledExecutorService unused = Executors.newSingleThreadScheduledExecutor();
  private final WatchEncoding encoding =
      new ResponseEncoders(Clock.systemUTC(), SupportedMediaTypes.STANDARD)
          .of("application/json", "", Query.parse(""), PODS, "", ResponseEncoders.Kind.WATCH)
          .watch();
  private Replica replica;
  private WatchLoop loop;
  private WatchDispatcher dispatcher;
  private Selection[] selections;
  private long start;

  @Setup(Level.Trial)
  public void fill() {
    replica = Replica.start(store, TYPES, ReplicaOptions.defaults());
    replica.fresh().join();
    start = replica.current().revision();
    // Nothing is flushed in turns to come.
    unused.shutdownNow();
    for (int i = 0; i < EVENTS; i++) {
      put(i);
    }
    replica.fresh().join();
    selections = new Selection[watches];
    for (int i = 0; i < watches; i++) {
      var more = selector.equals("node") ? "" : "%2Cstatus.phase%21%3DFailed";
      selections[i] = selection("spec.nodeName%3Dn" + i + more);
    }
  }

  private void put(int number) {
    int pod = number % (2 * BUSY_NODES);
    var json =
        """
        {"apiVersion":"v1","kind":"Pod","metadata":{"name":"p%d","namespace":"default","uid":"u",\
        "labels":{"app":"a%d"},"annotations":{"filler":"%s"}},"spec":{"nodeName":"n%d"},\
        "status":{"phase":"Running","message":"%d"}}\
        """
            .formatted(pod, pod % 50, "x".repeat(4_000), pod % BUSY_NODES, number);
    store
        .commit(
            Transaction.of(
                new Operation.Put(
                    "/pods/default/p" + pod, json.getBytes(StandardCharsets.UTF_8), Operation.ANY)))
        .join();
  }

  @Setup(Level.Invocation)
  public void open() {
    loop =
        new WatchLoop(
            unused,
            replica,
            attributes -> Decision.allow(""),
            System::nanoTime,
            DeliveryTimes.UNRECORDED,
            new TurnBudget(Integer.MAX_VALUE, Integer.MAX_VALUE));
    loop.budget().beginTurn();
    loop.budget().beginSlice();
    var collection = new CollectionWatches(loop, PODS.storage());
    dispatcher = new WatchDispatcher(loop, collection, replica.watch(PODS.storage(), start));
    for (var selection : selections) {
      dispatcher.join(watch(collection, selection));
    }
    if (watches == 0) {
      // One of another node: a dispatcher without watches has nothing to do.
      dispatcher.join(watch(collection, selection("spec.nodeName%3Dnone")));
    }
  }

  private static Selection selection(String fields) {
    var query = Query.parse("watch=true&fieldSelector=" + fields);
    return Selection.of(PODS, "", "", ListOptions.parse(query, false));
  }

  private WatchSession watch(CollectionWatches collection, Selection selection) {
    var request =
        new WatchRequest(
            PODS,
            selection,
            start,
            List.of(),
            true,
            new SilentObserver(),
            false,
            true,
            Duration.ofHours(1),
            encoding,
            null);
    var cursor = replica.watch(PODS.storage(), start);
    var session = new WatchSession(request, cursor, new SilentStream(), System::nanoTime);
    session.attend(collection);
    return session;
  }

  @Benchmark
  @OperationsPerInvocation(EVENTS)
  public boolean dispatch() {
    return dispatcher.run();
  }

  @TearDown(Level.Trial)
  public void close() {
    replica.close();
    store.close();
  }
}
