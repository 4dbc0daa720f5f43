package dev.muster.it.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.it.Kubectl;
import dev.muster.it.fleet.ServersInOneProcess.Running;
import dev.muster.model.Timestamps;
import dev.muster.model.json.JsonObject;
import dev.muster.testing.NeedsProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Identity and coordinated discovery, with several real servers in this process. */
@Tag("slow")
class FleetInOneProcessTest {
  private static final List<String> DOCUMENTS =
      List.of("/api", "/apis", "/apis/apps", "/api/v1", "/apis/apps/v1", "/apis/batch/v1");
  private static final String[] AGGREGATED = {
    "accept", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
  };
  private static final Map<String, Boolean> NO_BATCH = Map.of("batch/v1/cronjobs", false);

  @TempDir private Path folder;
  private ServersInOneProcess fleet;

  @BeforeEach
  void begin() throws IOException {
    fleet = new ServersInOneProcess(folder);
  }

  @AfterEach
  void end() {
    fleet.close();
  }

  private void awaitConsistent(boolean wanted) {
    await()
        .untilAsserted(
            () ->
                assertThat(fleet.all())
                    .allSatisfy(server -> assertThat(server.api().consistent()).contains(wanted)));
  }

  @Test
  void everyServerHasALeaseOfItsOwnAndTakesItAlongWhenItStops() throws IOException {
    var first = fleet.start();
    var second = fleet.start();
    assertThat(first.api().identities())
        .containsExactlyInAnyOrder(first.api().id(), second.api().id())
        .doesNotHaveDuplicates();
    assertThat(first.api().get("/readyz?verbose").body())
        .contains("[+]poststarthook/start-kube-apiserver-identity-lease-controller ok");
    assertThat(first.api().get("/metrics").body())
        .contains(
            "kubernetes_healthcheck{name=\"poststarthook/start-kube-apiserver-identity-lease-controller\",type=\"readyz\"}"
                + " 1.0")
        .contains("apiserver_identity_lease_age_seconds ");
    var renewed = renewTime(first, second.api().id());
    await().until(() -> renewTime(first, second.api().id()).isAfter(renewed));
    var gone = second.api().id();
    fleet.stop(second);
    assertThat(first.api().identities()).containsExactly(first.api().id()).doesNotContain(gone);
    assertThat(first.api().reporting()).containsExactly(first.api().id());
  }

  private static Instant renewTime(Running through, String id) {
    return through.api().leases("kube-apiserver-lease").stream()
        .filter(lease -> lease.object("spec").string("holderIdentity").equals(id))
        .map(lease -> Timestamps.parse(lease.object("spec").string("renewTime")))
        .findFirst()
        .orElse(Instant.MIN);
  }

  @Test
  void everyDocumentOfEveryServerSaysThatAllAgree() throws IOException {
    fleet.start();
    fleet.start();
    fleet.start();
    awaitConsistent(true);
    for (var server : fleet.all()) {
      for (var path : DOCUMENTS) {
        assertThat(server.api().consistent(path)).as(path).contains(true);
      }
      assertThat(server.api().consistent("/apis", AGGREGATED)).contains(true);
      assertThat(server.api().consistent("/api", AGGREGATED)).contains(true);
    }
  }

  @Test
  void aServerWithAnotherSetOfApisIsNamedAndTagsChange() throws IOException {
    var first = fleet.start();
    awaitConsistent(true);
    var tag = first.api().get("/apis").etag();
    var other = fleet.start(NO_BATCH, Map.of(), Duration.ZERO);
    awaitConsistent(false);
    for (var server : fleet.all()) {
      for (var path : DOCUMENTS) {
        assertThat(server.api().consistent(path)).as(path).contains(false);
      }
      assertThat(server.api().consistent("/apis", AGGREGATED)).contains(false);
    }
    assertThat(first.api().get("/apis").etag()).isNotEqualTo(tag);
    assertThat(first.api().get("/apis", "if-none-match", tag).status()).isEqualTo(200);
    var id = other.api().id();
    assertThat(first.api().get("/metrics").body().lines())
        .anyMatch(
            line ->
                line.startsWith(
                    "apiserver_discovery_servers{agrees=\"false\",apiserver_id=\"" + id));
    await()
        .untilAsserted(
            () ->
                assertThat(
                        first
                            .api()
                            .object("/api/v1/namespaces/default/events")
                            .array("items")
                            .objects())
                    .filteredOn(event -> event.string("reason").equals("DiscoveryInconsistent"))
                    .singleElement()
                    .satisfies(event -> assertThat(event.string("message")).contains(id)));
    fleet.stop(other);
    awaitConsistent(true);
    assertThat(first.api().get("/apis").etag()).isEqualTo(tag);
    assertThat(first.api().get("/apis", "if-none-match", tag).status()).isEqualTo(304);
  }

  @Test
  void theGateCanBeSwitchedOffAndOnAgainInALivingFleet() throws IOException {
    var first = fleet.start();
    var second = fleet.start();
    awaitConsistent(true);
    fleet.stop(second);
    var without =
        fleet.start(Map.of(), Map.of("EnableCoordinatedDiscoveryDocument", false), Duration.ZERO);
    for (var path : DOCUMENTS) {
      assertThat(without.api().consistent(path)).as(path).isEmpty();
    }
    assertThat(without.api().get("/apis").body()).doesNotContain("apiservercoordination");
    assertThat(without.api().get("/apis/apiservercoordination.k8s.io/v1alpha1").status())
        .isEqualTo(404);
    // It has a Lease and no row, as a server of another implementation has.
    await().until(() -> first.api().consistent().equals(Optional.of(false)));
    fleet.stop(without);
    fleet.start();
    awaitConsistent(true);
  }

  @Test
  void identityCanBeSwitchedOffAndOnAgainInALivingFleet() throws IOException {
    var first = fleet.start();
    var without = fleet.start(Map.of(), Map.of("APIServerIdentity", false), Duration.ZERO);
    assertThat(without.api().get("/readyz?verbose").body())
        .doesNotContain("start-kube-apiserver-identity-lease-controller");
    assertThat(first.api().identities()).containsExactly(first.api().id());
    awaitConsistent(true);
    fleet.stop(without);
    var again = fleet.start();
    assertThat(first.api().identities())
        .containsExactlyInAnyOrder(first.api().id(), again.api().id());
  }

  @Test
  void anotherImplementationsServerWithoutARowMakesItFalse() throws IOException {
    var first = fleet.start();
    awaitConsistent(true);
    var name = "apiserver-tcwjsvs6hjq4qbwzx5rvp5fsqe";
    var lease =
        JsonObject.of(
            "apiVersion",
            "coordination.k8s.io/v1",
            "kind",
            "Lease",
            "metadata",
            JsonObject.of(
                "name",
                name,
                "labels",
                JsonObject.of(
                    "apiserver.kubernetes.io/identity",
                    "kube-apiserver",
                    "kubernetes.io/hostname",
                    "test-server-a")),
            "spec",
            JsonObject.of(
                "holderIdentity",
                name + "_0e1c9f6e-7a0f-4e0b-9d6b-0c7a3b1d2e4f",
                "leaseDurationSeconds",
                3600,
                "renewTime",
                Timestamps.formatMicro(Instant.now())));
    var path = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";
    assertThat(first.api().send("POST", path, lease).status()).isEqualTo(201);
    awaitConsistent(false);
    assertThat(first.api().send("DELETE", path + "/" + name, JsonObject.EMPTY).status())
        .isEqualTo(200);
    awaitConsistent(true);
  }

  @ParameterizedTest
  @ValueSource(ints = {-60, -5, 5, 60})
  void aServerWithAWrongClockIsAMemberLikeAllOthers(int minutes) throws IOException {
    fleet.start();
    fleet.start(Map.of(), Map.of(), Duration.ofMinutes(minutes));
    awaitConsistent(true);
    var first = fleet.all().getFirst();
    var rows = first.api().reporting();
    var leases = first.api().identities();
    // Four periods of two seconds: a row or a Lease that seemed old would be gone by then.
    await()
        .during(Duration.ofSeconds(9))
        .untilAsserted(
            () -> {
              assertThat(first.api().reporting()).containsExactlyInAnyOrderElementsOf(rows);
              assertThat(first.api().identities()).containsExactlyInAnyOrderElementsOf(leases);
              assertThat(fleet.all())
                  .allMatch(server -> server.api().consistent().equals(Optional.of(true)));
            });
  }

  @Test
  void rowsThatSomebodyDeletesComeBack() throws IOException {
    var first = fleet.start();
    fleet.start();
    awaitConsistent(true);
    var path = "/apis/apiservercoordination.k8s.io/v1alpha1/discoverydochashes/builtin";
    assertThat(first.api().send("DELETE", path, JsonObject.EMPTY).status()).isEqualTo(200);
    await().until(() -> first.api().reporting().size() == 2);
    awaitConsistent(true);
  }

  @Test
  @NeedsProgram("kubectl")
  void theOldestKubectlIsUnaffected() throws IOException {
    var first = fleet.start();
    awaitConsistent(true);
    var kubectl = new Kubectl(Kubectl.versions().getFirst(), fleet.kubeconfig(first), "");
    for (boolean consistent : new boolean[] {true, false}) {
      if (!consistent) {
        fleet.start(NO_BATCH, Map.of(), Duration.ZERO);
        awaitConsistent(false);
      }
      assertThat(kubectl.succeed("api-resources")).contains("discoverydochashes", "deployments");
      assertThat(kubectl.succeed("api-versions")).contains("apiservercoordination.k8s.io/v1alpha1");
      assertThat(kubectl.succeed("get", "ddh", "-o", "wide"))
          .contains("builtin", consistent ? "True" : "False");
      kubectl.succeed("get", "pods,deployments.apps,leases.coordination.k8s.io", "-A");
      kubectl.succeed("explain", "deployment.spec.replicas");
      assertThat(kubectl.succeed("explain", "discoverydochashes.hashes")).contains("apiServerID");
    }
  }
}
