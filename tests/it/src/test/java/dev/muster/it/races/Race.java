package dev.muster.it.races;

import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Several clients race for one object; the seed decides what each of them does. */
public final class Race {
  private Race() {}

  /**
   * How it went.
   *
   * @param violations what cannot be true; empty when all can
   * @param writes how often the object was changed
   * @param refusals how many requests were refused
   */
  public record Outcome(List<String> violations, int writes, long refusals) {}

  /**
   * Lets them race.
   *
   * @param servers the URLs of all servers
   * @param clients how many clients there are
   * @param requests how many requests each of them sends, one after the other
   */
  public static Outcome run(
      RaceHttp http, List<String> servers, RaceKind kind, long seed, int clients, int requests)
      throws InterruptedException {
    var object = "race-" + seed;
    var first = servers.getFirst();
    http.post(
        first + "/api/v1/namespaces", "{\"metadata\":{\"name\":\"" + RaceKind.NAMESPACE + "\"}}");
    var begin =
        http.get(first + kind.collection()).body().object("metadata").string("resourceVersion");
    var random = new Random(seed);
    var racers =
        IntStream.range(0, clients)
            .mapToObj(
                i ->
                    new Racer(
                        "r" + i,
                        http,
                        servers,
                        kind,
                        object,
                        new Random(random.nextLong()),
                        requests))
            .toList();
    var threads = racers.stream().map(racer -> Thread.ofPlatform().unstarted(racer)).toList();
    var failures = new ArrayList<Throwable>();
    threads.forEach(
        thread ->
            thread.setUncaughtExceptionHandler(
                (one, failure) -> {
                  synchronized (failures) {
                    failures.add(failure);
                  }
                }));
    threads.forEach(Thread::start);
    for (var thread : threads) {
      thread.join();
    }
    synchronized (failures) {
      if (!failures.isEmpty()) {
        throw new IllegalStateException(failures.toString(), failures.getFirst());
      }
    }
    var answers = racers.stream().flatMap(racer -> racer.answers().stream()).toList();
    var log = log(http, first, kind, object, begin);
    return new Outcome(
        RaceChecker.violations(answers, log),
        log.size(),
        answers.stream().filter(answer -> answer.code() >= 300).count());
  }

  /** The object after each of its changes, as a watch tells. */
  private static List<State> log(
      RaceHttp http, String server, RaceKind kind, String object, String begin) {
    var end = object + "-end";
    http.post(server + kind.collection(), "{\"metadata\":{\"name\":\"%s\"}}".formatted(end));
    var events =
        http.watch(
            server + kind.collection() + "?watch=1&timeoutSeconds=60&resourceVersion=" + begin,
            event -> name(event).equals(end));
    var log = new ArrayList<State>();
    for (var event : events) {
      if (name(event).equals(object)) {
        var state = Racer.state(event.object("object"));
        log.add(event.string("type").equals("DELETED") ? State.absent(state.revision()) : state);
      }
    }
    return log;
  }

  private static String name(JsonObject event) {
    return event.object("object").object("metadata").string("name");
  }
}
