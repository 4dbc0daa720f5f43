package dev.muster.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.it.history.History;
import dev.muster.it.history.HistoryChecker;
import dev.muster.it.history.Observation;
import dev.muster.it.history.Observation.Event;
import dev.muster.it.history.Observation.Listing;
import dev.muster.it.history.Observation.Outcome;
import dev.muster.it.history.Observation.Read;
import dev.muster.it.history.Observation.Watch;
import dev.muster.it.history.Observation.Write;
import dev.muster.testing.NeedsProgram;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three API servers on three etcd members, of which one of each is killed in turn while clients
 * read, write, list and watch: whatever they see can be explained by one ordered log.
 */
@Tag("slow")
@NeedsProgram(value = "etcd", from = "3.4")
class FleetUnderFailuresTest {
  private static final int SERVERS = 3;
  private static final int KEYS = 8;
  private static final int CLIENTS = 6;
  private static final int PROGRESS = 60;
  private static final Duration PATIENCE = Duration.ofSeconds(40);

  @TempDir private Path folder;
  private final History history = new History();
  private volatile boolean loading = true;

  @Test
  void losesNothingThatWasAcknowledged() throws Exception {
    long seed = Long.getLong("muster.seed", new Random().nextLong());
    System.out.println("The seed is " + seed + " (-Dmuster.seed repeats it)");
    var random = new Random(seed);
    try (var fleet = EtcdFleet.start(folder, SERVERS, SERVERS)) {
      var apis = apis(fleet);
      var api = apis.getFirst();
      api.send(
          "POST",
          "/api/v1/namespaces",
          "{\"metadata\":{\"name\":\"%s\"}}".formatted(RegisterClient.NAMESPACE));
      long beginning = new RegisterClient(api, new History()).list();
      var watchers = new ArrayList<HttpApi>(apis(fleet));
      var watches =
          IntStream.range(0, SERVERS)
              .mapToObj(i -> new RegisterWatch("watch " + i, watchers, i, history, beginning))
              .toList();
      var first = new RegisterClient(api, history);
      for (int key = 0; key < KEYS; key++) {
        assertThat(first.create("r" + key)).isTrue();
      }
      var clients =
          IntStream.range(0, CLIENTS)
              .mapToObj(i -> client("client-" + i, apis, new Random(random.nextLong())))
              .toList();
      int firstServer = random.nextInt(SERVERS);
      int firstMember = random.nextInt(SERVERS);
      for (int round = 0; round < SERVERS; round++) {
        killAndRestartServer(fleet, (firstServer + round) % SERVERS);
        killAndRestartMember(fleet, (firstMember + round) % SERVERS);
      }
      loading = false;
      for (var client : clients) {
        client.join();
      }
      readEverythingEverywhere(apis);
      long end = lastRevision();
      for (var watch : watches) {
        await()
            .atMost(PATIENCE)
            .untilAsserted(() -> assertThat(watch.upTo()).isGreaterThanOrEqualTo(end));
      }
      for (var watch : watches) {
        watch.stop();
      }
      watchers.forEach(HttpApi::close);
      System.out.printf(
          "%d writes acknowledged, %d of unknown fate, %d reads, %d lists, watches connected %s"
              + " times and listed again %s times%n",
          history.acknowledged(),
          writes(Outcome.UNKNOWN),
          history.count(Read.class),
          history.count(Listing.class),
          watches.stream().map(RegisterWatch::connections).toList(),
          watches.stream().map(RegisterWatch::lists).toList());
      apis.forEach(HttpApi::close);
      assertThat(watches).as("every watch lost its server").allMatch(w -> w.connections() > 1);
    }
    var all = history.all();
    assertThat(HistoryChecker.violations(all)).isEmpty();
    theCheckerWouldHaveSeen(all);
  }

  /** This very history with one thing changed is not accepted any more. */
  private static void theCheckerWouldHaveSeen(List<Observation> all) {
    var watch = (Watch) last(all, each -> each instanceof Watch w && w.events().size() > 10);
    Event dropped = watch.events().get(watch.events().size() / 2);
    var events = new ArrayList<>(watch.events());
    events.remove(dropped);
    assertThat(
            changed(
                all,
                each ->
                    each == watch
                        ? new Watch(watch.name(), watch.after(), watch.upTo(), events)
                        : each))
        .as("a gap in a watch")
        .isNotEmpty();
    var read = (Read) last(all, each -> each instanceof Read r && r.revision() > 0);
    var stale = new Read(read.key(), "v1", 1, read.began(), read.ended());
    assertThat(changed(all, each -> each == read ? stale : each)).as("a stale read").isNotEmpty();
    var write =
        (Write) last(all, each -> each instanceof Write w && w.outcome() == Outcome.ACKNOWLEDGED);
    assertThat(changed(all, each -> each instanceof Watch w ? forgetting(w, write) : each))
        .as("an acknowledged write that was lost")
        .isNotEmpty();
  }

  private static Observation last(List<Observation> all, Predicate<Observation> wanted) {
    return all.reversed().stream().filter(wanted).findFirst().orElseThrow();
  }

  private static List<String> changed(List<Observation> all, UnaryOperator<Observation> change) {
    return HistoryChecker.violations(all.stream().map(change).toList());
  }

  private static Watch forgetting(Watch watch, Write write) {
    return new Watch(
        watch.name(),
        watch.after(),
        watch.upTo(),
        watch.events().stream().filter(event -> !event.value().equals(write.value())).toList());
  }

  private void killAndRestartServer(EtcdFleet fleet, int server) {
    fleet.server(server).close();
    awaitProgress("API server " + server + " is gone");
    fleet.startServer(server);
    fleet.awaitReady(server);
    awaitProgress("API server " + server + " is back");
  }

  private void killAndRestartMember(EtcdFleet fleet, int index) {
    var member = fleet.etcd().member(index);
    boolean leads = member.isLeader();
    member.kill();
    awaitProgress("etcd member " + index + (leads ? ", the leader," : "") + " is gone");
    member.start();
    member.awaitReady(PATIENCE);
    awaitProgress("etcd member " + index + " is back");
  }

  /** Writes go on, whatever is down. */
  private void awaitProgress(String situation) {
    long before = history.acknowledged();
    long began = System.nanoTime();
    await().atMost(PATIENCE).until(() -> history.acknowledged() >= before + PROGRESS);
    System.out.printf(
        "%s: %d writes after %d ms%n",
        situation, PROGRESS, (System.nanoTime() - began) / 1_000_000);
  }

  private Thread client(String name, List<HttpApi> apis, Random random) {
    return Thread.ofVirtual()
        .name(name)
        .start(
            () -> {
              for (int i = 0; loading; i++) {
                var client = new RegisterClient(apis.get(random.nextInt(apis.size())), history);
                act(client, random, name + "-" + i);
                if (client.lostRequests()) {
                  LockSupport.parkNanos(HttpApi.BETWEEN_TRIES.toNanos());
                }
              }
            });
  }

  private static void act(RegisterClient client, Random random, String ownKey) {
    var key = "r" + random.nextInt(KEYS);
    int choice = random.nextInt(100);
    if (choice < 40) {
      client.read(key);
    } else if (choice < 65) {
      client.put(key);
    } else if (choice < 78) {
      client.compareAndPut(key);
    } else if (choice < 88) {
      client.patch(key);
    } else if (choice < 95) {
      client.list();
    } else if (client.create(ownKey)) {
      client.read(ownKey);
      client.delete(ownKey);
      client.read(ownKey);
    }
  }

  private void readEverythingEverywhere(List<HttpApi> apis) {
    for (var api : apis) {
      var client = new RegisterClient(api, history);
      assertThat(client.list()).isPositive();
      for (int key = 0; key < KEYS; key++) {
        assertThat(client.read("r" + key)).isPositive();
      }
    }
  }

  private long lastRevision() {
    return history.all().stream()
        .mapToLong(each -> each instanceof Write write ? write.revision() : 0)
        .max()
        .orElseThrow();
  }

  private long writes(Outcome outcome) {
    return history.all().stream()
        .filter(each -> each instanceof Write write && write.outcome() == outcome)
        .count();
  }

  private static List<HttpApi> apis(EtcdFleet fleet) {
    return IntStream.range(0, SERVERS)
        .mapToObj(i -> new HttpApi(fleet.url(i), fleet.authority()))
        .toList();
  }
}
