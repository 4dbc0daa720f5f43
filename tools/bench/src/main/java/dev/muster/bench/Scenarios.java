package dev.muster.bench;

import dev.muster.bench.RequestScenario.Plan;
import dev.muster.bench.client.PreparedRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** All scenarios, in the order in which they run. */
final class Scenarios {
  private Scenarios() {}

  static List<Scenario> all() {
    var all = new ArrayList<Scenario>(builtIn());
    all.addAll(all.size() - 1, CustomResources.scenarios());
    return all;
  }

  private static List<Scenario> builtIn() {
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
        new RequestScenario(
            "list-protobuf", "LIST 1000 objects in protobuf", Scenarios::protobufLists),
        new RequestScenario("create", "CREATE, durable", session -> creates(session, "create")),
        new RequestScenario(
            "create-policy",
            "CREATE, 1 admission policy",
            session -> AdmittedCreates.withPolicies(session, 1)),
        new RequestScenario(
            "create-policies",
            "CREATE, 20 admission policies",
            session -> AdmittedCreates.withPolicies(session, 20)),
        new RequestScenario(
            "create-webhook", "CREATE, 1 admission webhook", AdmittedCreates::withWebhook),
        new RequestScenario("patch", "PATCH one key (merge patch)", Scenarios::patches),
        new RequestScenario(
            "patch-contended",
            "PATCH different keys of one object (merge patch)",
            Scenarios::contendedPatches),
        new RequestScenario("apply", "APPLY one key (server-side)", Scenarios::applies),
        new RequestScenario(
            "update-pod",
            "UPDATE one field of a 10 KB Pod with five managers",
            ManagedPods::updates),
        new RequestScenario("discovery", "discovery /apis", Scenarios::discovery),
        new WatchScenario(),
        new NodeWatchScenario(),
        new MemoryScenario("memory-loaded", "resident memory, loaded"));
  }

  private static Plan gets(BenchRun session, String query) {
    var path = session.data().configMaps("small", SeedData.SMALL);
    var gets = new PreparedRequest[SeedData.SMALL];
    for (int i = 0; i < gets.length; i++) {
      gets[i] = session.requests().get(path + "/" + SeedData.objectName(i) + query);
    }
    return new Plan(
        connection -> gets[ThreadLocalRandom.current().nextInt(gets.length)],
        session.options().objectBytes());
  }

  private static Plan lists(BenchRun session, String purpose, int count, String query) {
    var path = session.data().configMaps(purpose, count);
    var list = session.requests().get(path + query);
    return new Plan(connection -> list, (long) count * session.options().objectBytes());
  }

  private static Plan protobufLists(BenchRun session) {
    var path = session.data().configMaps("small", SeedData.SMALL);
    var list = session.requests().getProtobuf(path);
    return new Plan(connection -> list, (long) SeedData.SMALL * session.options().objectBytes());
  }

  private static Plan patches(BenchRun session) {
    var path = session.data().configMaps("patch", SeedData.SMALL);
    var next = new AtomicInteger();
    return new Plan(
        connection -> {
          int number = next.getAndIncrement();
          return session
              .requests()
              .patch(
                  path + "/" + SeedData.objectName(number % SeedData.SMALL),
                  "application/merge-patch+json",
                  "{\"data\":{\"number\":\"patched-" + number + "\"}}");
        },
        session.options().objectBytes());
  }

  /** Everybody changes the same object: nobody may be told that somebody else was faster. */
  private static Plan contendedPatches(BenchRun session) {
    var path = session.data().configMaps("contended", 1) + "/" + SeedData.objectName(0);
    var next = new AtomicInteger();
    return new Plan(
        connection ->
            session
                .requests()
                .patch(
                    path,
                    "application/merge-patch+json",
                    "{\"data\":{\"key-%d\":\"%d\"}}".formatted(connection, next.getAndIncrement())),
        session.options().objectBytes());
  }

  private static Plan applies(BenchRun session) {
    var path = session.data().configMaps("apply", SeedData.SMALL);
    var next = new AtomicInteger();
    return new Plan(
        connection -> {
          int number = next.getAndIncrement();
          var name = SeedData.objectName(number % SeedData.SMALL);
          return session
              .requests()
              .patch(
                  path + "/" + name + "?fieldManager=bench&force=true",
                  "application/apply-patch+yaml",
                  "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\""
                      + name
                      + "\"},\"data\":{\"number\":\"applied-"
                      + number
                      + "\"}}");
        },
        session.options().objectBytes());
  }

  static Plan creates(BenchRun session, String purpose) {
    var path = session.data().configMaps(purpose, 0);
    var next = new AtomicInteger();
    return new Plan(
        connection ->
            session
                .requests()
                .post(path, session.data().configMap(SeedData.objectName(next.getAndIncrement()))),
        session.options().objectBytes(),
        () -> session.data().made(purpose, next.get()));
  }

  private static Plan discovery(BenchRun session) {
    var get = session.requests().get("/apis");
    return new Plan(connection -> get, 100);
  }
}
