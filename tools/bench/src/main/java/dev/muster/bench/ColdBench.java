package dev.muster.bench;

import dev.muster.bench.client.Api;
import dev.muster.bench.client.BenchFailure;
import dev.muster.bench.client.BenchTarget;
import dev.muster.bench.client.PreparedRequest;
import dev.muster.bench.client.RequestFactory;
import dev.muster.bench.client.RequestLoad;
import dev.muster.bench.client.Tally;
import dev.muster.bench.client.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Used by one thread. What the first requests to a server cost that has just started: each kind of
 * request meets processes of its own, which the user's command starts. The CPU time from the first
 * byte to the last answer is theirs, whatever they spend it on.
 */
public final class ColdBench {
  private static final int CREATES = 2_000;
  private static final int GETS = 10_000;

  /** Few, so that the GETs meet a server that has hardly written anything. */
  private static final int OBJECTS = 8;

  private final BenchTarget target;
  private final ServerProcesses others;
  private final BenchOptions options;
  private final String startCommand;
  private final Progress progress;

  /**
   * @param others processes that go on between the starts and count as well, such as an etcd
   */
  public ColdBench(
      BenchTarget target, ServerProcesses others, BenchOptions options, Progress progress) {
    this.target = target;
    this.others = others;
    this.options = options;
    this.progress = progress;
    if (options.startCommand() == null) {
      throw new IllegalArgumentException("--cold: needs --start-command");
    }
    this.startCommand = options.startCommand();
  }

  /** What the first requests are, and how many of them there are. */
  private record Kind(String name, String title, int objects, int requests) {}

  /**
   * Measures as many starts as the options say and hands out the medians.
   *
   * @throws BenchFailure when the server cannot be measured
   */
  public List<Result> run(Consumer<Result> listener) {
    var results = new ArrayList<Result>();
    for (var kind :
        List.of(
            new Kind("cold-create", "first " + CREATES + " CREATEs", 0, CREATES),
            new Kind("cold-get", "first " + GETS + " GETs", OBJECTS, GETS))) {
      var result = measure(kind);
      progress.clear();
      results.add(result);
      listener.accept(result);
    }
    return results;
  }

  private Result measure(Kind kind) {
    var all = new Tally();
    var costs = new ArrayList<Double>();
    double seconds = 0;
    OptionalLong resident = OptionalLong.empty();
    for (int i = 1; i <= options.starts(); i++) {
      progress.show("%s: start %d of %d".formatted(kind.name(), i, options.starts()));
      try (var server = StartedServer.start(startCommand, target)) {
        var processes = server.with(others);
        long startedAt = System.nanoTime();
        long cpu = first(kind, processes, all);
        seconds += (System.nanoTime() - startedAt) / 1e9;
        costs.add(cpu / (double) kind.requests());
        resident = processes.residentBytes();
      }
    }
    costs.sort(null);
    return new Result(
        kind.name(),
        kind.title(),
        all.done(),
        all.errors(),
        all.firstError(),
        seconds,
        all.latency(),
        OptionalDouble.of(costs.get(costs.size() / 2)),
        resident);
  }

  /** Microseconds of CPU for the first requests. */
  private long first(Kind kind, ServerProcesses processes, Tally tally) {
    var requests = new RequestFactory(target);
    try (var transport = new Transport(target, options.threads());
        var api = new Api(transport);
        var data = new SeedData(transport, requests, api, options, progress)) {
      var path = data.configMaps("cold", kind.objects());
      IntFunction<PreparedRequest> request =
          kind.objects() == 0
              ? number -> requests.post(path, data.configMap(SeedData.objectName(number)))
              : number -> requests.get(path + "/" + SeedData.objectName(number % kind.objects()));
      var next = new AtomicInteger();
      long before = processes.cpuMicros().orElseThrow();
      try (var load =
          new RequestLoad(
              transport,
              options.connections(),
              options.inFlight(),
              connection -> nextOf(request, next.getAndIncrement(), kind.requests()),
              options.objectBytes(),
              tally)) {
        load.awaitFinish(10, TimeUnit.MINUTES);
      }
      long cpu = processes.cpuMicros().orElseThrow() - before;
      data.made("cold", kind.objects() == 0 ? kind.requests() : kind.objects());
      return cpu;
    }
  }

  private static @Nullable PreparedRequest nextOf(
      IntFunction<PreparedRequest> request, int number, int most) {
    return number < most ? request.apply(number) : null;
  }
}
