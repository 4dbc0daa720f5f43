package dev.muster.controllers.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.controllers.client.ApiRequests;
import dev.muster.controllers.client.JsonTrees;
import dev.muster.controllers.loop.Loops;
import dev.muster.controllers.loop.Reflector;
import dev.muster.controllers.loop.WorkQueue;
import dev.muster.model.json.JsonObject;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.LongStream;

/**
 * One thread at a time. A controller with its real code in a world where one thing happens after
 * the other, as a seed decides: users act before each of its requests, watches tell late or break
 * and are read anew, requests and their answers get lost, the process dies before and after any
 * write and starts again, and time passes by itself only.
 *
 * <p>Now and then, and in the end, all is calm; every other time each single write is still the
 * last of its process for a while. What the controller has left in the end is for the test to
 * judge; that it writes nothing any more, started once more, is seen to here each time.
 */
public final class Simulation implements Loops {
  private static final int MOST = 20_000;
  private static final long ALL = 60;
  private static final int PARTS = 8;

  /** After so many changes a watch that is stalled goes on. */
  private static final int STALLED = 15;

  private static final KubernetesSerialization TEXT = new KubernetesSerialization();

  /** Is shown what the controller has written. */
  public interface Observer {
    void written(SimulatedApi.Change change);
  }

  /** The process of the controller ends here, even where it takes this for one of its failures. */
  private static final class Crash extends Error {
    private static final long serialVersionUID = 1L;
  }

  private final long seed;
  private final Random random;
  private final SimulatedClock clock = new SimulatedClock();
  private final SimulatedApi api = new SimulatedApi(clock);
  private final BiFunction<Loops, Clock, AutoCloseable> controller;
  private final List<SimulatedQueue<?>> queues = new ArrayList<>();
  private final List<SimulatedWatch<?>> watches = new ArrayList<>();
  private final List<String> violations = new ArrayList<>();
  private AutoCloseable running = () -> {};
  private Observer observer = change -> {};
  private Runnable others = () -> {};
  private Duration horizon = Duration.ofMinutes(5);
  private ApiRequests requests = process();
  private boolean calm;
  private boolean mortal;
  private boolean dead;
  private int depth;
  private int writes;

  /**
   * @param controller starts the controller that is simulated, by that clock
   */
  public Simulation(long seed, BiFunction<Loops, Clock, AutoCloseable> controller) {
    this.seed = seed;
    this.random = new Random(seed);
    this.controller = controller;
  }

  /** A few; all of them with {@code -Dmuster.simulation.percent=100}. */
  public static LongStream seeds() {
    return LongStream.rangeClosed(
        1, ALL * Integer.getInteger("muster.simulation.percent", 20) / 100);
  }

  public SimulatedApi api() {
    return api;
  }

  public Clock clock() {
    return clock;
  }

  /** Time passes, more than it does by itself. */
  public void pass(Duration time) {
    clock.pass(time);
  }

  /** A number below that one. */
  public int pick(int bound) {
    return random.nextInt(bound);
  }

  public <T> T pick(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  /** One of the objects of a collection, if there are any. */
  public Optional<JsonObject> pick(String collection) {
    var all = api.list(collection);
    return all.isEmpty() ? Optional.empty() : Optional.of(pick(all));
  }

  /** What is never to happen has happened. */
  public void violated(String what) {
    violations.add(what);
  }

  /** How long the controller may wait before what it has left is judged. */
  public Simulation within(Duration longest) {
    horizon = longest;
    return this;
  }

  /** Who is shown the controller's writes. */
  public Simulation observed(Observer by) {
    observer = by;
    return this;
  }

  /**
   * Lets the controller and others act, and then the controller alone, several times.
   *
   * @param others one thing that somebody else does
   */
  public void run(int steps, Runnable others) {
    this.others = others;
    start();
    for (int part = 0; part < PARTS; part++) {
      calm = false;
      for (int step = 0; step < steps / PARTS; step++) {
        survive(this::step);
      }
      calm = true;
      mortal = (seed + part) % 2 == 0;
      settle();
      mortal = false;
      settle();
      checkThatNothingIsLeft();
    }
    assertThat(seed > 1 || writes > 0).as("the controller has something to do").isTrue();
  }

  private void checkThatNothingIsLeft() {
    assertThat(violations).as("what must never happen, with seed %d", seed).isEmpty();
    int settled = api.log().size();
    stop();
    start();
    settle();
    assertThat(api.log().subList(settled, api.log().size()))
        .as("what a controller writes that has nothing to do, with seed %d", seed)
        .isEmpty();
  }

  /** Lets the controller do what there is to do, with nothing in its way. */
  public void finish() {
    calm = true;
    if (queues.isEmpty()) {
      start();
    }
    settle();
  }

  /** Watches of a collection tell nothing until they break. */
  public void silence(String collection) {
    watches.forEach(watch -> watch.silence(collection));
  }

  /** All watches break, and everything is read anew: what came and went since, nobody tells. */
  public void breakWatches() {
    watches.forEach(SimulatedWatch::lose);
  }

  private void start() {
    queues.clear();
    watches.clear();
    depth = 0;
    dead = false;
    requests = process();
    running = controller.apply(this, clock);
  }

  private void stop() {
    try {
      running.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private void survive(Runnable what) {
    try {
      what.run();
    } catch (Crash e) {
      dead = true;
    }
    if (dead) {
      start();
    }
  }

  private Crash crash() {
    dead = true;
    return new Crash();
  }

  private void step() {
    switch (random.nextInt(12)) {
      case 0, 1, 2, 3 -> work();
      case 4, 5, 6 -> deliver();
      case 7, 8 -> others.run();
      case 9 -> clock.pass(Duration.ofMillis(random.nextInt(30_000)));
      case 10 -> {
        if (!watches.isEmpty()) {
          disturb(pick(watches));
        }
      }
      default -> {
        if (random.nextInt(6) == 0) {
          throw crash();
        }
      }
    }
  }

  private void disturb(SimulatedWatch<?> watch) {
    switch (random.nextInt(6)) {
      case 0 -> watch.lose();
      case 1, 2 -> watch.stall();
      default -> {}
    }
  }

  /** What happens while the controller waits for an answer. */
  private void meanwhile() {
    for (int i = calm || depth > 1 ? 0 : random.nextInt(3); i > 0; i--) {
      switch (random.nextInt(4)) {
        case 0, 1 -> others.run();
        case 2 -> deliver();
        default -> work();
      }
    }
  }

  private boolean deliver() {
    var late =
        watches.stream().filter(watch -> watch.isBehind(api.log(), calm ? 0 : STALLED)).toList();
    if (late.isEmpty()) {
      return false;
    }
    pick(late).deliver(api);
    return true;
  }

  private boolean work() {
    var ready = queues.stream().filter(queue -> queue.isReady(clock.instant())).toList();
    if (ready.isEmpty()) {
      return false;
    }
    depth++;
    pick(ready).work(random, clock.instant());
    depth--;
    return true;
  }

  /** Nothing fails any more, unless the process dies of each write. */
  private void settle() {
    var end = clock.instant().plus(horizon);
    for (int i = 0; i < MOST; i++) {
      var done = new boolean[1];
      survive(() -> done[0] = !deliver() && !work());
      if (done[0]) {
        var next = queues.stream().flatMap(queue -> queue.next().stream()).sorted().findFirst();
        if (next.isEmpty() || next.get().isAfter(end)) {
          return;
        }
        clock.set(next.get());
      }
    }
    throw new AssertionError("it is never finished, with seed " + seed);
  }

  private ApiRequests process() {
    var transport =
        new ApiRequests.Transport() {
          @Override
          public ApiRequests.Answer send(
              String method, String path, String accept, String mediaType, String body) {
            return answer(method, path, mediaType, body);
          }

          @Override
          public ApiRequests.Streamed stream(String path, String accept) {
            throw new IllegalStateException("watches are told by the simulation");
          }
        };
    return new ApiRequests(transport, TEXT);
  }

  private ApiRequests.Answer answer(String method, String path, String mediaType, String body) {
    if (dead) {
      throw new Crash();
    }
    meanwhile();
    strike(method, 40, 30);
    var sent = body.isEmpty() ? JsonObject.EMPTY : tree(body);
    int before = api.log().size();
    var answer = api.answer(method, path, mediaType, sent);
    for (var change : api.log().subList(before, api.log().size())) {
      writes++;
      observer.written(change);
    }
    boolean wrote = api.log().size() > before;
    if (wrote && mortal) {
      throw crash();
    }
    if (wrote) {
      strike(method, 8, 8);
    }
    return new ApiRequests.Answer(method, path, answer.code(), map(answer.body()));
  }

  private void strike(String method, int crash, int loss) {
    if (calm) {
      return;
    }
    if (random.nextInt(crash) == 0) {
      throw crash();
    }
    if (random.nextInt(loss) == 0) {
      throw new KubernetesClientException("no answer to " + method);
    }
  }

  @SuppressWarnings("unchecked")
  private static JsonObject tree(String json) {
    return JsonTrees.object(TEXT.unmarshal(json, Map.class));
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> map(JsonObject object) {
    return TEXT.unmarshal(object.toString(), Map.class);
  }

  @Override
  public ApiRequests requests() {
    return requests;
  }

  @Override
  public long nanoTime() {
    return Duration.between(Instant.EPOCH, clock.instant()).toNanos();
  }

  @Override
  public <K> Queue<K> queue(
      String name, int parallel, Duration longestPause, WorkQueue.Work<K> work) {
    var queue = new SimulatedQueue<>(parallel, longestPause, work, clock);
    queues.add(queue);
    return queue;
  }

  @Override
  public <T> Followed follow(
      String path, Function<Map<String, Object>, T> reader, Reflector.Handler<T> handler) {
    var watch = new SimulatedWatch<>(RequestPath.parse(path), reader, handler);
    watches.add(watch);
    return watch;
  }
}
