package dev.muster.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.store.CommitResult;
import dev.muster.store.Operation;
import dev.muster.store.Transaction;
import dev.muster.store.etcd.EtcdOptions;
import dev.muster.store.etcd.EtcdStore;
import dev.muster.testing.EtcdCluster.Restoration;
import dev.muster.testing.NeedsProgram;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Servers whose etcd is restored from a backup under them. What was acknowledged since the backup
 * is gone; what they serve is never a mixture of before and after, and in the end they and etcd
 * agree.
 */
@Tag("slow")
@NeedsProgram("etcd")
@NeedsProgram("etcdctl")
class RestoredEtcdFleetTest {
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final int SERVERS = 2;

  @TempDir private Path folder;
  private final AtomicReference<String> round = new AtomicReference<>("");
  private final Map<String, String> mixtures = new ConcurrentHashMap<>();
  private final Map<String, Long> acknowledged = new ConcurrentHashMap<>();

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void noMixtureIsServedAndAllAgreeInTheEnd(int members) throws Exception {
    var stopped = new AtomicBoolean();
    try (var fleet = EtcdFleet.start(folder, SERVERS, members);
        var first = new HttpApi(fleet.url(0), fleet.authority());
        var second = new HttpApi(fleet.url(1), fleet.authority());
        var threads = Executors.newVirtualThreadPerTaskExecutor();
        AutoCloseable _ = () -> stopped.set(true)) {
      threads.submit(() -> observe("0", first, stopped));
      threads.submit(() -> observe("1", second, stopped));
      threads.submit(() -> write(first, stopped));

      // Lower than before, when it comes back.
      var snapshot = beginRound(fleet, first, "lower");
      try (var watch = first.watch(MAPS + "?watch=true&resourceVersion=" + revision(first))) {
        fleet.etcd().stopAndRestore(snapshot, Restoration.of(true));
        beginAfter("lower");
        fleet.etcd().startAll();
        var told = new String(watch.readAllBytes(), StandardCharsets.UTF_8);
        assertThat(told.lines().toList().getLast()).contains("\"reason\":\"Expired\"");
      }
      assertAgreement(fleet, first, second, "lower");

      // Written to before the servers come back.
      snapshot = beginRound(fleet, first, "climbed");
      for (int i = 0; i < SERVERS; i++) {
        fleet.server(i).pause();
      }
      fleet.etcd().stopAndRestore(snapshot, Restoration.of(true));
      fleet.etcd().startAll();
      climb(fleet, 200);
      beginAfter("climbed");
      for (int i = 0; i < SERVERS; i++) {
        fleet.server(i).resume();
      }
      assertAgreement(fleet, first, second, "climbed");

      // One server runs meanwhile, the other does not, and the cluster has another id.
      snapshot = beginRound(fleet, first, "stopped");
      fleet.server(1).close();
      fleet.etcd().stopAndRestore(snapshot, Restoration.of(false));
      beginAfter("stopped");
      fleet.etcd().startAll();
      fleet.startServer(1);
      assertAgreement(fleet, first, second, "stopped");

      stopped.set(true);
      assertThat(fleet.server(0).output())
          .filteredOn(line -> line.contains("ERROR"))
          .hasSize(3)
          .allMatch(line -> line.contains("etcd's history was replaced"));
    }
    assertThat(mixtures).isEmpty();
  }

  /** A snapshot, and after it objects that it does not have. */
  private Path beginRound(EtcdFleet fleet, HttpApi api, String name) throws Exception {
    round.set(name + "-kept");
    create(api, name + "-kept");
    var snapshot = fleet.etcd().snapshot(folder.resolve(name));
    for (int i = 0; i < 5; i++) {
      create(api, name + "-gone-" + i);
    }
    await().until(() -> names(fleetApi(fleet, 1)).containsKey(name + "-gone-4"));
    return snapshot;
  }

  private HttpApi fleetApi(EtcdFleet fleet, int index) {
    return new HttpApi(fleet.url(index), fleet.authority());
  }

  /** What is written from now on is of the restored history, if it is acknowledged. */
  private void beginAfter(String name) {
    acknowledged.clear();
    round.set(name + "-after");
  }

  /** Writes all the time; only what is acknowledged counts. */
  private Object write(HttpApi api, AtomicBoolean stopped) throws InterruptedException {
    for (int i = 0; !stopped.get(); i++) {
      var name = round.get() + "-write-" + i;
      try {
        if (name.contains("-after-") && api.send("POST", MAPS, map(name)).code() == 201) {
          acknowledged.put(name, 1L);
        }
      } catch (IOException away) {
        // It is being started anew.
      }
      Thread.sleep(20);
    }
    return stopped;
  }

  /** Lists all the time: what a round has lost and what it has won never come together. */
  private Object observe(String server, HttpApi api, AtomicBoolean stopped)
      throws InterruptedException {
    while (!stopped.get()) {
      try {
        var names = names(api).keySet();
        for (var name : new String[] {"lower", "climbed", "stopped"}) {
          boolean lost = names.stream().anyMatch(one -> one.startsWith(name + "-gone"));
          boolean won = names.stream().anyMatch(one -> one.startsWith(name + "-after"));
          if (lost && won) {
            mixtures.put(server + " " + name, names.toString());
          }
        }
      } catch (IOException | IllegalStateException away) {
        // 503, or it is being started anew.
      }
      Thread.sleep(10);
    }
    return stopped;
  }

  /** Object by object, at one moment at which nothing is written. */
  private void assertAgreement(EtcdFleet fleet, HttpApi first, HttpApi second, String name) {
    await()
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptions()
        .until(
            () ->
                acknowledged.size() > 3
                    && first.get("/readyz").code() == 200
                    && second.get("/readyz").code() == 200);
    round.set("");
    await()
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              var stored = stored(fleet);
              assertThat(names(first)).isEqualTo(stored);
              assertThat(names(second)).isEqualTo(stored);
              assertThat(stored).containsKey(name + "-kept").doesNotContainKey(name + "-gone-0");
              assertThat(stored.keySet()).containsAll(acknowledged.keySet());
            });
  }

  private static Map<String, Long> stored(EtcdFleet fleet) {
    var stored = new TreeMap<String, Long>();
    try (var store = open(fleet);
        var image = store.image()) {
      for (var entry : image) {
        if (entry.key().startsWith("/configmaps/default/")) {
          var name = entry.key().substring(entry.key().lastIndexOf('/') + 1);
          stored.put(name, entry.modRevision());
        }
      }
    }
    return stored;
  }

  private static void climb(EtcdFleet fleet, int writes) {
    try (var store = open(fleet)) {
      for (int i = 0; i < writes; i++) {
        var put = new Operation.Put("/elsewhere", new byte[] {1}, Operation.ANY);
        assertThat(store.commit(Transaction.of(put)).join())
            .isInstanceOf(CommitResult.Committed.class);
      }
    }
  }

  private static EtcdStore open(EtcdFleet fleet) {
    return EtcdStore.open(
        EtcdOptions.at(fleet.etcd().endpoints()).withCompactionInterval(Duration.ZERO));
  }

  private static Map<String, Long> names(HttpApi api) throws IOException, InterruptedException {
    var answer = api.get(MAPS);
    if (answer.code() != 200) {
      throw new IllegalStateException("answered " + answer.code());
    }
    var names = new TreeMap<String, Long>();
    for (var item : answer.json().array("items").objects()) {
      var metadata = item.object("metadata");
      names.put(metadata.string("name"), Long.valueOf(metadata.string("resourceVersion")));
    }
    return names;
  }

  private static long revision(HttpApi api) throws IOException, InterruptedException {
    return api.get(MAPS).revision();
  }

  private static void create(HttpApi api, String name) throws IOException, InterruptedException {
    assertThat(api.send("POST", MAPS, map(name)).code()).isEqualTo(201);
  }

  private static String map(String name) {
    return "{\"metadata\":{\"name\":\"" + name + "\"}}";
  }
}
