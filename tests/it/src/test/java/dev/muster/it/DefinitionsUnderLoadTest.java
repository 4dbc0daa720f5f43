package dev.muster.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.it.history.DefinitionChecker;
import dev.muster.it.history.DefinitionChecker.Change;
import dev.muster.it.history.DefinitionChecker.Defined;
import dev.muster.it.history.DefinitionChecker.Stored;
import dev.muster.it.history.DefinitionChecker.Undefined;
import dev.muster.testing.NeedsProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A definition changes many times a second, goes away and comes back while clients write its
 * objects through three servers on etcd, of which one after the other is paused and killed: every
 * object in etcd was written by the definition that was the newest then.
 */
@Tag("slow")
@NeedsProgram(value = "etcd", from = "3.4")
class DefinitionsUnderLoadTest {
  private static final int SERVERS = 3;
  private static final int CLIENTS_OF_A_SERVER = 3;
  private static final int NAMES = 40;
  private static final int FORMS_OF_A_LIFE = 30;
  private static final int REQUESTS_OF_A_FORM = 5;
  private static final int PROGRESS = Integer.getInteger("muster.definitions.progress", 16);
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String GROUP = "load.example.com";
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  private static final String DEFINITION = DEFINITIONS + "/things." + GROUP;

  @TempDir private Path folder;
  private final Semaphore requests = new Semaphore(0);
  private final AtomicInteger forms = new AtomicInteger();
  private volatile boolean loading = true;

  @Test
  void nothingIsStoredByAnOutdatedDefinition() throws Exception {
    long seed = Long.getLong("muster.seed", new Random().nextLong());
    System.out.println("The seed is " + seed + " (-Dmuster.seed repeats it)");
    var random = new Random(seed);
    List<Change> seen;
    try (var fleet = EtcdFleet.start(folder, SERVERS, 1);
        var log = new DefinitionLog(fleet.etcd().endpoints(), GROUP, "things")) {
      var apis =
          IntStream.range(0, SERVERS)
              .mapToObj(i -> new HttpApi(fleet.url(i), fleet.authority()))
              .toList();
      var threads = new ArrayList<Thread>();
      for (var api : apis) {
        threads.add(start("definitions", () -> change(api)));
        for (int i = 0; i < CLIENTS_OF_A_SERVER; i++) {
          var own = new Random(random.nextLong());
          threads.add(
              start(
                  "objects",
                  () -> {
                    requests.release();
                    write(api, own);
                  }));
        }
      }
      for (int server = 0; server < SERVERS; server++) {
        pause(fleet, server, log);
        kill(fleet, server, log);
      }
      await().atMost(PATIENCE).until(() -> log.count(Undefined.class) > 1);
      loading = false;
      requests.release(SERVERS * REQUESTS_OF_A_FORM);
      for (var thread : threads) {
        thread.join();
      }
      apis.forEach(HttpApi::close);
      seen = log.changes();
    }
    System.out.printf(
        "%d forms of the definition, %d ends of it, %d writes of objects%n",
        count(seen, Defined.class), count(seen, Undefined.class), count(seen, Stored.class));
    assertThat(DefinitionChecker.violations(seen)).isEmpty();
    theCheckerWouldHaveSeen(seen);
  }

  private static long count(List<Change> log, Class<? extends Change> kind) {
    return log.stream().filter(kind::isInstance).count();
  }

  /** This very log with one thing changed is not accepted any more. */
  private static void theCheckerWouldHaveSeen(List<Change> log) {
    var last =
        (Stored) log.reversed().stream().filter(Stored.class::isInstance).findFirst().orElseThrow();
    assertThat(
            changed(log, new Stored(last.revision(), last.key(), last.form() - 1, last.version())))
        .isNotEmpty();
    assertThat(changed(log, new Stored(last.revision(), last.key(), last.form(), "v0")))
        .isNotEmpty();
  }

  private static List<String> changed(List<Change> log, Stored instead) {
    UnaryOperator<Change> change =
        each ->
            each instanceof Stored stored
                    && stored.revision() == instead.revision()
                    && stored.key().equals(instead.key())
                ? instead
                : each;
    return DefinitionChecker.violations(log.stream().map(change).toList());
  }

  private static void pause(EtcdFleet fleet, int server, DefinitionLog log) {
    fleet.server(server).pause();
    try {
      awaitProgress(log);
    } finally {
      fleet.server(server).resume();
    }
    awaitProgress(log);
  }

  private static void kill(EtcdFleet fleet, int server, DefinitionLog log) {
    fleet.server(server).close();
    awaitProgress(log);
    fleet.startServer(server);
    fleet.awaitReady(server);
    awaitProgress(log);
  }

  /** Objects are written and the definition changes, whatever is down. */
  private static void awaitProgress(DefinitionLog log) {
    long writes = log.count(Stored.class) + PROGRESS;
    long forms = log.count(Defined.class) + PROGRESS / 4;
    await()
        .atMost(PATIENCE)
        .until(() -> log.count(Stored.class) >= writes && log.count(Defined.class) >= forms);
  }

  /** A request that may be lost with its server. */
  private interface Request {
    void send() throws IOException, InterruptedException;
  }

  private Thread start(String name, Request request) {
    return Thread.ofVirtual()
        .name(name)
        .start(
            () -> {
              while (loading) {
                try {
                  request.send();
                } catch (IOException e) {
                  LockSupport.parkNanos(HttpApi.BETWEEN_TRIES.toNanos());
                } catch (InterruptedException e) {
                  return;
                }
              }
            });
  }

  /** The next form of the definition, or its end and a new beginning. */
  private void change(HttpApi api) throws IOException, InterruptedException {
    requests.acquire(REQUESTS_OF_A_FORM);
    int form = forms.incrementAndGet();
    int answer = api.send("PATCH", DEFINITION, definition(form)).code();
    if (answer == 404) {
      api.send("POST", DEFINITIONS, definition(form));
    } else if (form % FORMS_OF_A_LIFE == 0) {
      api.send("DELETE", DEFINITION, "");
    }
  }

  private static String definition(int form) {
    return """
    {"metadata":{"name":"things.%s"},
     "spec":{"group":"%s","scope":"Namespaced","names":{"plural":"things","kind":"Thing"},
      "versions":[%s,%s]}}
    """
        .formatted(
            GROUP, GROUP, version("v1", form % 2 == 0, form), version("v2", form % 2 == 1, form));
  }

  private static String version(String name, boolean storage, int form) {
    return """
    {"name":"%s","served":true,"storage":%s,"schema":{"openAPIV3Schema":{"type":"object",
     "properties":{"spec":{"type":"object","properties":{
      "form":{"type":"integer","default":%d},"load":{"type":"integer"}}}}}}}\
    """
        .formatted(name, storage, form);
  }

  /** Creates, changes or deletes an object; what is written takes the default for its form. */
  private static void write(HttpApi api, Random random) throws IOException, InterruptedException {
    var version = random.nextBoolean() ? "v1" : "v2";
    var things = "/apis/%s/%s/namespaces/default/things".formatted(GROUP, version);
    var name = "t" + random.nextInt(NAMES);
    int load = random.nextInt();
    switch (random.nextInt(10)) {
      case 0 -> api.send("DELETE", things + "/" + name, "");
      case 1, 2, 3, 4, 5 ->
          api.send(
              "PATCH",
              things + "/" + name,
              "{\"spec\":{\"form\":null,\"load\":%d}}".formatted(load));
      default ->
          api.send(
              "POST",
              things,
              """
              {"apiVersion":"%s/%s","kind":"Thing","metadata":{"name":"%s"},"spec":{"load":%d}}
              """
                  .formatted(GROUP, version, name, load));
    }
  }
}
