package dev.muster.bench.tenants;

import dev.muster.bench.BenchOptions;
import dev.muster.bench.Progress;
import dev.muster.bench.Result;
import dev.muster.bench.SeedData;
import dev.muster.bench.client.Api;
import dev.muster.bench.client.BenchFailure;
import dev.muster.bench.client.BenchTarget;
import dev.muster.bench.client.PacedLoad;
import dev.muster.bench.client.RequestFactory;
import dev.muster.bench.client.RequestLoad;
import dev.muster.bench.client.RequestSource;
import dev.muster.bench.client.Tally;
import dev.muster.bench.client.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Used by one thread. What a tenant with a modest rate of requests notices of another that sends as
 * many as it can, and whether heartbeats of nodes and elections of leaders go on. Tenants are
 * service accounts; each works on objects of its own in its own namespace, half of the requests
 * reading one and half changing one.
 */
public final class TenantsBench {
  private static final double MODEST_PER_SECOND = 50;
  private static final double BEATS_PER_SECOND = 10;
  private static final int OBJECTS = 200;

  /** Few requests a second are measured: of ten seconds' the slowest hundredth would be five. */
  private static final int TIMES_AS_LONG = 4;

  /** Requests that the loud tenant has under way for each that the modest one has. */
  private static final int TIMES_ITS_SHARE = 100;

  private static final Pattern TOKEN = Pattern.compile("\"token\"\\s*:\\s*\"([^\"]+)\"");

  private final BenchTarget target;
  private final BenchOptions options;
  private final Duration warmUp;
  private final Duration duration;
  private final Progress progress;
  private final Tally flood = new Tally();
  private final StringBuilder summary = new StringBuilder();

  public TenantsBench(BenchTarget target, BenchOptions options, Progress progress) {
    this.target = target;
    this.options = options;
    this.warmUp = options.warmUp().multipliedBy(TIMES_AS_LONG);
    this.duration = options.duration().multipliedBy(TIMES_AS_LONG);
    this.progress = progress;
  }

  /** Who sends what at a fixed rate, and what became of it. */
  private record Client(String name, String title, Tally tally, PacedLoad load) {}

  /**
   * Measures everybody without and then with the loud tenant, and hands out each result.
   *
   * @throws BenchFailure when the server cannot be measured
   */
  public List<Result> run(Consumer<Result> listener) {
    var requests = new RequestFactory(target);
    var results = new ArrayList<Result>();
    try (var transport = new Transport(target, options.threads());
        var api = new Api(transport);
        var data = new SeedData(transport, requests, api, options, progress);
        var objects = new TenantObjects(requests, api)) {
      var modestPath = data.configMaps("modest", OBJECTS);
      var loudPath = data.configMaps("loud", OBJECTS);
      var modestTarget = target.withToken(token(objects, api, requests, modestPath));
      var loudTarget = target.withToken(token(objects, api, requests, loudPath));
      objects.leases(namespace(modestPath));
      try (var modest = new Transport(modestTarget, 1);
          var loud = new Transport(loudTarget, 1)) {
        var heartbeats = objects.heartbeats(target);
        var elections = objects.elections(target, namespace(modestPath));
        var clients =
            List.of(
                client(
                    "tenant",
                    "modest tenant",
                    modest,
                    MODEST_PER_SECOND,
                    work(new RequestFactory(modestTarget), modestPath),
                    answer -> {}),
                client("heartbeat", "node heartbeats", transport, heartbeats),
                client("election", "leader elections", transport, elections));
        try {
          measure("alone", clients, results, listener);
          try (var _ =
              new RequestLoad(
                  loud,
                  options.connections(),
                  TIMES_ITS_SHARE,
                  work(new RequestFactory(loudTarget), loudPath),
                  0,
                  flood)) {
            measure("beside", clients, results, listener);
            summarize(clients, results);
            add("loud", "loud tenant", flood, results, listener);
          }
        } finally {
          clients.forEach(client -> client.load().close());
        }
      }
    }
    return results;
  }

  private Client client(String name, String title, Transport transport, LeaseRenewal renewal) {
    return client(name, title, transport, BEATS_PER_SECOND, renewal, renewal);
  }

  private Client client(
      String name,
      String title,
      Transport transport,
      double rate,
      RequestSource source,
      Consumer<String> answers) {
    var tally = new Tally();
    return new Client(
        name, title, tally, new PacedLoad(transport, rate, source, answers, flood::done, tally));
  }

  private static String namespace(String path) {
    return path.split("/")[4];
  }

  private static String token(
      TenantObjects objects, Api api, RequestFactory requests, String path) {
    var answer = api.expect(objects.tokenRequest(requests, namespace(path)));
    var found = TOKEN.matcher(answer.body());
    if (!found.find()) {
      throw new BenchFailure("no token in " + Api.brief(answer.body()));
    }
    return found.group(1);
  }

  private static RequestSource work(RequestFactory requests, String path) {
    var next = new AtomicInteger();
    return connection -> {
      int number = next.getAndIncrement();
      var one = path + "/" + SeedData.objectName(ThreadLocalRandom.current().nextInt(OBJECTS));
      return number % 2 == 0
          ? requests.get(one)
          : requests.patch(
              one,
              "application/merge-patch+json",
              "{\"data\":{\"number\":\"patched-" + number + "\"}}");
    };
  }

  private void measure(
      String phase, List<Client> clients, List<Result> results, Consumer<Result> listener) {
    pause(phase + ": warming up", warmUp.toMillis());
    clients.forEach(client -> client.tally().reset());
    flood.reset();
    pause(phase, duration.toMillis());
    var title = phase.equals("alone") ? ", alone" : ", beside the loud";
    for (var client : clients) {
      add(client.name() + "-" + phase, client.title() + title, client.tally(), results, listener);
    }
  }

  private void add(
      String name, String title, Tally tally, List<Result> results, Consumer<Result> listener) {
    var result =
        new Result(
            name,
            title,
            tally.done(),
            tally.errors(),
            tally.firstError(),
            duration.toMillis() / 1e3,
            tally.latency(),
            OptionalDouble.empty(),
            OptionalLong.empty());
    progress.clear();
    results.add(result);
    listener.accept(result);
  }

  private void pause(String what, long millis) {
    progress.show(what + ": " + millis / 1000 + " s");
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchFailure("interrupted", e);
    }
  }

  private void summarize(List<Client> clients, List<Result> results) {
    for (var client : clients) {
      var alone = find(results, client.name() + "-alone");
      var beside = find(results, client.name() + "-beside");
      var overtaken = client.tally().overtaken();
      summary.append(
          String.format(
              Locale.ROOT,
              "%s: p50 %.2f ms to %.2f ms (%.2f times), p99 %.2f ms to %.2f ms (%.2f times),"
                  + " overtaken by %d (p99 %d)%n",
              client.name(),
              alone.millis(50),
              beside.millis(50),
              beside.millis(50) / alone.millis(50),
              alone.millis(99),
              beside.millis(99),
              beside.millis(99) / alone.millis(99),
              overtaken.getValueAtPercentile(50),
              overtaken.getValueAtPercentile(99)));
    }
  }

  /**
   * How many times as long everybody's requests take beside the loud tenant, and how many of its
   * requests are answered while one of theirs is under way, which depends less on the machine.
   */
  public String summary() {
    return summary.toString();
  }

  private static Result find(List<Result> results, String name) {
    return results.stream()
        .filter(result -> result.scenario().equals(name))
        .findFirst()
        .orElseThrow();
  }
}
