package dev.muster.it.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.testing.TcpProxy;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two servers that serve different APIs: each answers for all that one of them serves. */
@Tag("slow")
class PeersTest {
  private static final String SCALERS = PeerServers.SCALERS;
  private static final String[] AGGREGATED = {
    "Accept", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
  };

  @TempDir private static Path folder;
  private static PeerServers servers;

  /** Does not serve autoscaling/v2. */
  private static FleetApi poor;

  /** Serves it; the other one reaches it on that way. */
  private static FleetApi rich;

  private static TcpProxy way;

  @BeforeAll
  static void start() throws IOException {
    servers = new PeerServers(folder);
    way = new TcpProxy("https://127.0.0.1:1");
    var started = start(Map.of("batch/v1", false), URI.create(way.endpoint()).getPort());
    way.leadTo("https://127.0.0.1:" + started.port());
    rich = started.api();
    poor = start(Map.of("autoscaling/v2", false, "batch/v1", false), 0).api();
    await().atMost(Duration.ofSeconds(60)).until(() -> poor.get(SCALERS).status() == 200);
  }

  private static ServersInOneProcess.Running start(Map<String, Boolean> apis, int peerPort)
      throws IOException {
    return servers.start(apis, peerPort, UnaryOperator.identity());
  }

  @AfterAll
  static void stop() {
    servers.close();
    way.close();
  }

  @Test
  void whatOnlyAnotherServerServesIsWrittenReadAndWatchedThroughThisOne() {
    assertThat(poor.send("POST", SCALERS, PeerServers.scaler("passed")).status()).isEqualTo(201);
    assertThat(rich.object(SCALERS + "/passed").object("spec").integer("maxReplicas", 0))
        .isEqualTo(3);
    var read = poor.object(SCALERS + "/passed");
    assertThat(read.string("apiVersion")).isEqualTo("autoscaling/v2");
    assertThat(
            poor.send("PUT", SCALERS + "/passed", read.withAt(Json.of(5), "spec", "maxReplicas"))
                .status())
        .isEqualTo(200);
    assertThat(poor.get(SCALERS + "?watch=true&resourceVersion=0&timeoutSeconds=1").body())
        .contains("\"maxReplicas\":5");
    assertThat(poor.send("DELETE", SCALERS + "/passed", JsonObject.EMPTY).status()).isEqualTo(200);
    assertThat(poor.get(SCALERS + "/passed").status()).isEqualTo(404);
    assertThat(poor.get("/metrics").body())
        .contains("apiserver_rerouted_request_total{code=\"201\",group=\"autoscaling\"");
  }

  @Test
  void whatWasPassedOnOnceIsAnsweredHere() {
    var passed = poor.get(SCALERS, "X-Kubernetes-Peer-Proxied", "true");
    assertThat(passed.status()).isEqualTo(404);
    assertThat(rich.get(SCALERS, "X-Kubernetes-Peer-Proxied", "true").status()).isEqualTo(200);
  }

  @Test
  void theOtherServerKnowsWhoAsks() {
    var role =
        JsonObject.of(
            "apiVersion",
            "rbac.authorization.k8s.io/v1",
            "kind",
            "ClusterRole",
            "metadata",
            JsonObject.of("name", "scalers"),
            "rules",
            JsonArray.of(
                JsonObject.of(
                    "apiGroups",
                    JsonArray.ofStrings(List.of("autoscaling")),
                    "resources",
                    JsonArray.ofStrings(List.of("horizontalpodautoscalers")),
                    "verbs",
                    JsonArray.ofStrings(List.of("list")))));
    var binding =
        JsonObject.of(
            "apiVersion",
            "rbac.authorization.k8s.io/v1",
            "kind",
            "ClusterRoleBinding",
            "metadata",
            JsonObject.of("name", "scalers"),
            "roleRef",
            JsonObject.of(
                "apiGroup", "rbac.authorization.k8s.io", "kind", "ClusterRole", "name", "scalers"),
            "subjects",
            JsonArray.of(
                JsonObject.of(
                    "apiGroup", "rbac.authorization.k8s.io", "kind", "User", "name", "alice")));
    poor.send("POST", "/apis/rbac.authorization.k8s.io/v1/clusterroles", role);
    poor.send("POST", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", binding);
    assertThat(poor.get(SCALERS, "Impersonate-User", "alice").status()).isEqualTo(200);
    assertThat(poor.get(SCALERS + "/any", "Impersonate-User", "alice").status()).isEqualTo(403);
    assertThat(poor.get(SCALERS, "Impersonate-User", "bob").status()).isEqualTo(403);
    // A header of the client's own says nothing about it.
    assertThat(
            poor.get(SCALERS, "Impersonate-User", "bob", "X-Remote-Group", "system:masters")
                .status())
        .isEqualTo(403);
  }

  @Test
  void aggregatedDiscoveryIsThatOfTheFleetUnlessOneServerIsMeant() {
    assertThat(versions(poor, AGGREGATED)).containsExactly("v2", "v1");
    assertThat(versions(poor, AGGREGATED[0], AGGREGATED[1] + ";profile=nopeer"))
        .containsExactly("v1");
    assertThat(poor.get("/apis", AGGREGATED).etag())
        .isNotEqualTo(poor.get("/apis", AGGREGATED[0], AGGREGATED[1] + ";profile=nopeer").etag());
    assertThat(poor.get("/apis/autoscaling").body()).doesNotContain("autoscaling/v2");
  }

  private static List<String> versions(FleetApi api, String... accept) {
    return api.get("/apis", accept).object().array("items").objects().stream()
        .filter(group -> group.object("metadata").string("name").equals("autoscaling"))
        .flatMap(group -> group.array("versions").objects().stream())
        .map(version -> version.string("version"))
        .toList();
  }

  @Test
  void whatNobodyServesIsNotFound() {
    assertThat(poor.get("/apis/autoscaling/v3/horizontalpodautoscalers").status()).isEqualTo(404);
    assertThat(poor.get("/apis/example.com/v1/widgets").status()).isEqualTo(404);
  }

  @Test
  void whileTheOtherServerIsNotReachedClientsAreToldToTryAgain() {
    way.refuse(true);
    try {
      var answer = poor.get(SCALERS);
      assertThat(answer.status()).isEqualTo(503);
      assertThat(answer.object().string("reason")).isEqualTo("ServiceUnavailable");
      assertThat(answer.object().object("details").integer("retryAfterSeconds", 0)).isEqualTo(1);
      assertThat(poor.get("/apis/autoscaling/v1/horizontalpodautoscalers").status()).isEqualTo(200);
    } finally {
      way.refuse(false);
    }
    assertThat(poor.get(SCALERS).status()).isEqualTo(200);
  }

  @Test
  void aServerThatLeavesIsAskedNoMore() throws IOException {
    var jobs = "/apis/batch/v1/jobs";
    assertThat(poor.get(jobs).status()).isEqualTo(404);
    var third = start(Map.of(), 0);
    await().atMost(Duration.ofSeconds(30)).until(() -> poor.get(jobs).status() == 200);
    servers.stop(third);
    await().atMost(Duration.ofSeconds(30)).until(() -> poor.get(jobs).status() == 404);
  }
}
