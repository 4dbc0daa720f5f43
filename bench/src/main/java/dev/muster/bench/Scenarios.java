package dev.muster.bench;

import dev.muster.bench.RequestScenario.Plan;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** All scenarios, in the order in which they run. */
final class Scenarios {
  private Scenarios() {}

  static List<Scenario> all() {
    return List.of(
        new StartScenario(),
        new MemoryScenario("memory-idle", "resident memory, idle"),
        new RequestScenario("get", "GET, linearizable", session -> gets(session, "")),
        new RequestScenario(
            "get-cached", "GET, resourceVersion=0", session -> gets(session, "?resourceVersion=0")),
        new RequestScenario(
            "list", "LIST 1000 objects", session -> lists(session, "small", SeedData.SMALL, "")),
        new RequestScenario(
            "list-cached",
            "LIST 6000 objects, resourceVersion=0",
            session -> lists(session, "large", SeedData.LARGE, "?resourceVersion=0")),
        new RequestScenario("create", "CREATE, durable", Scenarios::creates),
        new RequestScenario("discovery", "discovery /apis", Scenarios::discovery),
        new WatchScenario(),
        new MemoryScenario("memory-loaded", "resident memory, loaded"));
  }

  private static Plan gets(Session session, String query) {
    var path = session.data().configMaps("small", SeedData.SMALL);
    var gets = new Request[SeedData.SMALL];
    for (int i = 0; i < gets.length; i++) {
      gets[i] = session.requests().get(path + "/" + SeedData.objectName(i) + query);
    }
    return new Plan(
        connection -> gets[ThreadLocalRandom.current().nextInt(gets.length)],
        session.options().objectBytes());
  }

  private static Plan lists(Session session, String purpose, int count, String query) {
    var path = session.data().configMaps(purpose, count);
    var list = session.requests().get(path + query);
    return new Plan(connection -> list, (long) count * session.options().objectBytes());
  }

  private static Plan creates(Session session) {
    var path = session.data().configMaps("create", 0);
    var next = new AtomicInteger();
    return new Plan(
        connection ->
            session
                .requests()
                .post(path, session.data().configMap(SeedData.objectName(next.getAndIncrement()))),
        session.options().objectBytes(),
        () -> session.data().made("create", next.get()));
  }

  private static Plan discovery(Session session) {
    var get = session.requests().get("/apis");
    return new Plan(connection -> get, 100);
  }
}
