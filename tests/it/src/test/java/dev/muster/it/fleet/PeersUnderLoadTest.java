package dev.muster.it.fleet;

import static dev.muster.it.fleet.PeerServers.SCALERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.model.json.JsonObject;
import dev.muster.schema.protobuf.ProtobufCodec;
import dev.muster.store.Store;
import dev.muster.testing.LaggingStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many clients at once, a server that lags behind, and what kube-apiserver would find. */
@Tag("slow")
class PeersUnderLoadTest {
  private static final int CLIENTS = 40;
  private static final int OBJECTS_OF_A_CLIENT = 5;

  /** The same objects in the version that both servers serve. */
  private static final String SCALERS_V1 = SCALERS.replace("/v2/", "/v1/");

  @TempDir private static Path folder;
  private static PeerServers servers;
  private static LaggingStore way;

  /** Does not serve autoscaling/v2. */
  private static FleetApi poor;

  /** Serves it, and hears of things when the test wants it to. */
  private static ServersInOneProcess.Running rich;

  @BeforeAll
  static void start() throws IOException {
    servers = new PeerServers(folder);
    way = new LaggingStore(servers.store());
    rich = servers.start(Map.of(), 0, store -> way);
    poor = servers.start(Map.of("autoscaling/v2", false), 0, UnaryOperator.identity()).api();
    await().atMost(Duration.ofSeconds(60)).until(() -> poor.get(SCALERS).status() == 200);
  }

  @AfterAll
  static void stop() {
    way.letGo();
    servers.close();
  }

  @Test
  void manyClientsAtOnceAreAllAnswered() throws InterruptedException, ExecutionException {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var clients = new ArrayList<Future<List<Integer>>>();
      for (int i = 0; i < CLIENTS; i++) {
        var prefix = "client-" + i + "-";
        clients.add(threads.submit(() -> statuses(prefix)));
      }
      for (var client : clients) {
        assertThat(client.get()).containsOnly(200, 201).hasSize(4 * OBJECTS_OF_A_CLIENT);
      }
    }
    assertThat(poor.object(SCALERS_V1).array("items").objects())
        .noneMatch(item -> item.object("metadata").string("name").startsWith("client-"));
  }

  private static List<Integer> statuses(String prefix) {
    var statuses = new ArrayList<Integer>();
    for (int i = 0; i < OBJECTS_OF_A_CLIENT; i++) {
      var one = SCALERS + "/" + prefix + i;
      statuses.add(poor.send("POST", SCALERS, PeerServers.scaler(prefix + i)).status());
      statuses.add(poor.get(one).status());
      statuses.add(rich.api().get(one).status());
      statuses.add(poor.send("DELETE", one, JsonObject.EMPTY).status());
    }
    return statuses;
  }

  /** The server that answers has not heard of what this one has acknowledged. */
  @Test
  void aServerThatLagsBehindAnswersWhenItHasCaughtUp() {
    way.holdBack();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var scaler =
          JsonObject.of(
              "apiVersion",
              "autoscaling/v1",
              "kind",
              "HorizontalPodAutoscaler",
              "metadata",
              JsonObject.of("name", "late"),
              "spec",
              JsonObject.of(
                  "maxReplicas",
                  7,
                  "scaleTargetRef",
                  JsonObject.of("apiVersion", "apps/v1", "kind", "Deployment", "name", "web")));
      assertThat(poor.send("POST", SCALERS_V1, scaler).status()).isEqualTo(201);
      long asked = way.asked();
      var answer = CompletableFuture.supplyAsync(() -> poor.get(SCALERS + "/late"), threads);
      await().until(() -> answer.isDone() || way.asked() > asked);
      way.letGo();
      assertThat(answer.join().status()).isEqualTo(200);
      assertThat(answer.join().object().object("spec").integer("maxReplicas", 0)).isEqualTo(7);
    } finally {
      way.letGo();
    }
  }

  @Test
  void everyServerKeepsTheRecordThatKubeApiserverLooksFor() throws IOException {
    await().atMost(Duration.ofSeconds(30)).until(() -> records(servers.store()).size() == 2);
    var ports = new ArrayList<Long>();
    records(servers.store())
        .forEach(
            (key, record) -> {
              var id = record.object("metadata", "labels").string("apiserverIdentity");
              assertThat(key).isEqualTo("/peerserverleases/" + id);
              assertThat(leases()).contains(id);
              assertThat(record.string("kind")).isEqualTo("Endpoints");
              var subset = record.array("subsets").object(0);
              assertThat(subset.array("addresses").object(0).string("ip")).isEqualTo("127.0.0.1");
              ports.add(subset.array("ports").object(0).integer("port", 0));
            });
    assertThat(ports).contains((long) rich.port());

    var third = servers.start(Map.of(), 0, UnaryOperator.identity());
    await().atMost(Duration.ofSeconds(30)).until(() -> records(servers.store()).size() == 3);
    servers.stop(third);
    await().atMost(Duration.ofSeconds(30)).until(() -> records(servers.store()).size() == 2);
  }

  private static List<String> leases() {
    return poor.leases("kube-apiserver-lease").stream()
        .map(lease -> lease.object("metadata").string("name"))
        .toList();
  }

  private static Map<String, JsonObject> records(Store store) {
    var records = new HashMap<String, JsonObject>();
    try (var image = store.image()) {
      for (var entry : image) {
        if (entry.key().startsWith("/peerserverleases/")) {
          records.put(entry.key(), ProtobufCodec.decode(entry.value()));
        }
      }
    }
    return records;
  }
}
