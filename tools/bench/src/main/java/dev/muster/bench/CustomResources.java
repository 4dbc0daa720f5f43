package dev.muster.bench;

import dev.muster.bench.RequestScenario.Plan;
import dev.muster.bench.client.Api;
import dev.muster.bench.client.BenchFailure;
import dev.muster.bench.client.PreparedRequest;
import dev.muster.bench.client.RequestSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Used by one thread: a custom resource whose objects are as large as the ConfigMaps of the other
 * scenarios, so that the costs of both can be compared. Each scenario has a definition of its own,
 * which goes with its objects when the scenario is over.
 */
final class CustomResources {
  private final BenchRun session;
  private final String purpose;
  private final CustomKind kind;
  private final String objects;

  private CustomResources(BenchRun session, String purpose, boolean rules) {
    this.session = session;
    this.purpose = purpose;
    this.kind = new CustomKind(session.data().prefix(), purpose, rules);
    session.api().expect(session.requests().post(CustomKind.DEFINITIONS, kind.definition()));
    var namespace = session.data().configMaps(purpose, 0).split("/")[4];
    this.objects = kind.path(namespace);
    session.api().await(session.requests().get(objects), 200);
  }

  /** All of them, each without rules and with twenty. */
  static List<Scenario> scenarios() {
    var all = new ArrayList<Scenario>();
    for (boolean rules : List.of(false, true)) {
      var suffix = rules ? "-rules" : "";
      var what = rules ? " custom, 20 rules" : " custom";
      all.add(
          new RequestScenario(
              "custom-get" + suffix,
              "GET" + what,
              session -> new CustomResources(session, "custom-get", rules).gets()));
      all.add(
          new RequestScenario(
              "custom-list" + suffix,
              "LIST 1000" + what,
              session -> new CustomResources(session, "custom-list", rules).lists()));
      all.add(
          new RequestScenario(
              "custom-create" + suffix,
              "CREATE" + what,
              session -> new CustomResources(session, "custom-create", rules).creates()));
      all.add(
          new RequestScenario(
              "custom-update" + suffix,
              "PATCH one key" + what,
              session -> new CustomResources(session, "custom-update", rules).updates()));
      all.add(
          new RequestScenario(
              "custom-apply-noop" + suffix,
              "APPLY what is there" + what,
              session -> new CustomResources(session, "custom-apply-noop", rules).applies()));
    }
    return all;
  }

  private Plan gets() {
    seed();
    var gets = new PreparedRequest[SeedData.SMALL];
    for (int i = 0; i < gets.length; i++) {
      gets[i] = session.requests().get(object(i));
    }
    return plan(connection -> gets[ThreadLocalRandom.current().nextInt(gets.length)], 1);
  }

  private Plan lists() {
    seed();
    var list = session.requests().get(objects);
    return plan(connection -> list, SeedData.SMALL);
  }

  private Plan creates() {
    var next = new AtomicInteger();
    return plan(
        connection ->
            session.requests().post(objects, body(SeedData.objectName(next.getAndIncrement()))),
        1);
  }

  private Plan updates() {
    seed();
    var next = new AtomicInteger();
    return plan(
        connection -> {
          int number = next.getAndIncrement();
          return session
              .requests()
              .patch(
                  object(number % SeedData.SMALL),
                  "application/merge-patch+json",
                  "{\"spec\":{\"number\":\"patched-" + number + "\"}}");
        },
        1);
  }

  /** What is applied is there already: nothing may be written. */
  private Plan applies() {
    session.data().run("seeding " + purpose, SeedData.SMALL, this::apply);
    var before = versions();
    var next = new AtomicInteger();
    return new Plan(
        connection -> apply(next.getAndIncrement() % SeedData.SMALL),
        session.options().objectBytes(),
        () -> {
          var after = versions();
          remove();
          if (!after.equals(before)) {
            throw new BenchFailure(purpose + ": an apply that changes nothing was written");
          }
        });
  }

  private PreparedRequest apply(int number) {
    return session
        .requests()
        .patch(
            object(number) + "?fieldManager=bench&force=true",
            "application/apply-patch+yaml",
            body(SeedData.objectName(number)));
  }

  /** The versions of all objects. */
  private List<String> versions() {
    return Api.resourceVersions(session.api().expect(session.requests().get(objects)));
  }

  private void seed() {
    session
        .data()
        .run(
            "seeding " + purpose,
            SeedData.SMALL,
            number -> session.requests().post(objects, body(SeedData.objectName(number))));
  }

  private String object(int number) {
    return objects + "/" + SeedData.objectName(number);
  }

  private String body(String name) {
    return kind.object(name, session.data().payload());
  }

  private Plan plan(RequestSource source, int objectsPerAnswer) {
    return new Plan(
        source, (long) objectsPerAnswer * session.options().objectBytes(), this::remove);
  }

  /** Waits until all objects are gone, so that the next scenario does not pay for it. */
  private void remove() {
    var definition = CustomKind.DEFINITIONS + "/" + kind.definitionName();
    session.progress().show(purpose + ": cleaning up");
    session.api().call(session.requests().delete(definition));
    session.api().await(session.requests().get(definition), 404);
  }
}
