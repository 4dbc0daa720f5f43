package dev.muster.it.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.it.fleet.ServerProcesses.Running;
import dev.muster.model.Timestamps;
import dev.muster.model.json.JsonObject;
import dev.muster.testing.ChildProcess;
import dev.muster.testing.NeedsProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/**
 * Identity and coordinated discovery among real processes on etcd: killed, paused, without their
 * store. All times are short, in the proportions of the usual ones. Every test finds two servers
 * that agree and a controller manager, and leaves as many.
 */
@Tag("slow")
@NeedsProgram(value = "etcd", from = "3.4")
@TestInstance(Lifecycle.PER_CLASS)
class FleetOfProcessesTest {
  private ServerProcesses fleet;
  private Running first;
  private Running second;
  private ChildProcess controllers;

  @BeforeAll
  void begin(@TempDir Path folder) throws Exception {
    Awaitility.ignoreExceptionsByDefault();
    fleet =
        new ServerProcesses(
            folder,
            List.of(
                "--identity-lease-renew-interval-seconds=1",
                "--identity-lease-duration-seconds=10",
                "--discovery-hash-heartbeat-period=3s",
                "--endpoint-reconciler-interval=1s",
                "--endpoint-reconciler-lease-duration=3s"));
    first = fleet.start();
    second = fleet.start();
    controllers =
        fleet.startControllers(first, "--apiserver-lease-resync-period=1s", "--leader-elect=false");
  }

  @AfterAll
  void end() {
    fleet.close();
  }

  @BeforeEach
  void agree() {
    awaitMembers(first, second);
    awaitConsistent(true, first, second);
  }

  /** Waits until those servers and no others have an identity and report what they serve. */
  private static void awaitMembers(Running... servers) {
    var ids = Stream.of(servers).map(server -> server.api().id()).toList();
    await()
        .untilAsserted(
            () -> {
              assertThat(servers[0].api().identities()).containsExactlyInAnyOrderElementsOf(ids);
              assertThat(servers[0].api().reporting()).containsExactlyInAnyOrderElementsOf(ids);
            });
  }

  private static void awaitConsistent(boolean wanted, Running... servers) {
    await()
        .untilAsserted(
            () ->
                assertThat(servers)
                    .allMatch(server -> server.api().consistent().equals(Optional.of(wanted))));
  }

  @Test
  void aKilledServersLeaseAndRowAreCollectedAndItsSuccessorHasANewId() throws Exception {
    controllers.pause();
    var old = second.api().id();
    second.process().kill();
    second = fleet.start(second.port());
    var young = second.api().id();
    assertThat(young).isNotEqualTo(old);
    assertThat(first.api().identities()).contains(old, young);
    controllers.resume();
    awaitMembers(first, second);
    await()
        .untilAsserted(
            () ->
                assertThat(events(first, "kube-apiserver-lease"))
                    .filteredOn(event -> event.string("reason").equals("APIServerLeaseCollected"))
                    .anyMatch(
                        event ->
                            event
                                .object("involvedObject")
                                .string("name")
                                .equals(old.toLowerCase(Locale.ROOT))));
    awaitConsistent(true, first, second);
  }

  private static List<JsonObject> events(Running server, String namespace) {
    return server
        .api()
        .object("/api/v1/namespaces/" + namespace + "/events")
        .array("items")
        .objects();
  }

  @Test
  void theCollectorTakesOnlyWhatWasSilentIsLabelledAndInItsNamespace() throws Exception {
    var server = first;
    controllers.pause();
    lease(server, "kube-apiserver-lease", "expired", true, "2020-01-01T00:00:00.000000Z", 5);
    lease(server, "kube-apiserver-lease", "no-renewal", true, "", 5);
    lease(server, "kube-apiserver-lease", "unlabelled", false, "2020-01-01T00:00:00.000000Z", 3600);
    lease(server, "kube-apiserver-lease", "fresh", true, now(0), 3600);
    lease(server, "kube-apiserver-lease", "two-minutes", true, now(-120), 3600);
    lease(server, "kube-apiserver-lease", "paused", true, "2020-01-01T00:00:00.000000Z", 3600);
    lease(server, "kube-system", "elsewhere", true, "2020-01-01T00:00:00.000000Z", 3600);
    controllers.resume();
    await()
        .untilAsserted(
            () ->
                assertThat(names(server, "kube-apiserver-lease"))
                    .doesNotContain("expired", "no-renewal"));
    assertThat(names(server, "kube-apiserver-lease"))
        .contains("unlabelled", "fresh", "two-minutes", "paused");
    assertThat(names(server, "kube-system")).contains("elsewhere");
    assertThat(server.api().identities()).contains(first.api().id(), second.api().id());
    for (var name : List.of("unlabelled", "fresh", "two-minutes", "paused")) {
      server.api().send("DELETE", leases("kube-apiserver-lease") + "/" + name, JsonObject.EMPTY);
    }
  }

  private static String now(int seconds) {
    return Timestamps.formatMicro(Instant.now().plusSeconds(seconds));
  }

  private static List<String> names(Running server, String namespace) {
    return server.api().leases(namespace).stream()
        .map(lease -> lease.object("metadata").string("name"))
        .toList();
  }

  private static void lease(
      Running server,
      String namespace,
      String name,
      boolean labelled,
      String renewed,
      int seconds) {
    var labels =
        labelled
            ? JsonObject.of("apiserver.kubernetes.io/identity", "kube-apiserver")
            : JsonObject.EMPTY;
    var spec = JsonObject.of("holderIdentity", name, "leaseDurationSeconds", seconds);
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
                labels,
                "annotations",
                JsonObject.of("muster.dev/renew-interval-seconds", "1")),
            "spec",
            renewed.isEmpty() ? spec : spec.with("renewTime", renewed));
    var answer = server.api().send("POST", leases(namespace), lease);
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
  }

  private static String leases(String namespace) {
    return "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases";
  }

  /** Its Lease lasts so long that it is late for as long as it takes to look. */
  @Test
  void aPausedServerStaysAMemberAndGoesOnAsBefore() throws Exception {
    var third = fleet.start("--identity-lease-duration-seconds=3600");
    awaitConsistent(true, first, third);
    var id = third.api().id();
    third.process().pause();
    awaitState(id, "late");
    assertThat(first.api().identities()).contains(id);
    third.process().resume();
    awaitState(id, "live");
    assertThat(third.api().id()).isEqualTo(id);
    awaitMembers(first, second, third);
    awaitConsistent(true, first, second, third);
    third.process().stop();
  }

  /** Waits until {@code muster status} says so of a server. */
  private void awaitState(String id, String state) throws IOException {
    var kubeconfig = fleet.kubeconfig(first).toString();
    await()
        .until(
            () ->
                fleet.run("status", "--kubeconfig", kubeconfig).stream()
                    .anyMatch(line -> line.startsWith(id) && line.contains(" " + state + " ")));
  }

  @Test
  void aServerThatWasPausedForTooLongJoinsAgainUnderItsId() {
    var ids = List.of(first.api().id(), second.api().id());
    second.process().pause();
    awaitMembers(first);
    second.process().resume();
    awaitMembers(first, second);
    assertThat(List.of(first.api().id(), second.api().id())).isEqualTo(ids);
    awaitConsistent(true, first, second);
  }

  @Test
  void aStoreThatStandsStillForLongCostsNobodyItsPlaceAndIsComplainedAboutOnce() {
    await().until(() -> slices(first).size() == 2);
    var before = slices(first);
    var ids = List.of(first.api().id(), second.api().id());
    fleet.etcd().member(0).pause();
    // Longer than a Lease lasts, and three times as long as a record does: etcd drops all records
    // when it goes on. Discovery still answers, and owns up to knowing nothing any more.
    await().until(() -> first.api().consistent().equals(Optional.of(false)));
    fleet.etcd().member(0).resume();
    awaitConsistent(true, first, second);
    assertThat(first.api().identities()).containsExactlyInAnyOrderElementsOf(ids);
    assertThat(first.api().reporting()).containsExactlyInAnyOrderElementsOf(ids);
    assertThat(List.of(first.api().id(), second.api().id())).isEqualTo(ids);
    double renewals = renewals(first);
    await().until(() -> renewals(first) > renewals + 5);
    // Nothing was written: an address that is taken out and put back has another version.
    assertThat(slices(first)).isEqualTo(before);
    for (var line :
        List.of("endpoints cannot be looked after", "the discovery hash cannot be reported")) {
      assertThat(first.process().output())
          .filteredOn(each -> each.contains(line))
          .hasSizeLessThan(2);
    }
  }

  /** The versions of all objects that show where the servers are, by what they show. */
  private static Map<String, String> slices(Running server) {
    var found = new TreeMap<String, String>();
    var all =
        server
            .api()
            .object("/apis/discovery.k8s.io/v1/namespaces/default/endpointslices?resourceVersion=0")
            .array("items")
            .objects();
    for (var slice : all) {
      found.put(
          slice.array("endpoints") + " " + slice.array("ports"),
          slice.object("metadata").string("resourceVersion"));
    }
    return found;
  }

  private static double renewals(Running server) {
    return server
        .api()
        .get("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith("muster_endpoints_renewals_total"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  @Test
  void aRollingChangeOfWhatIsServedIsSeenByAllAndEndsInAgreement() throws Exception {
    second.process().stop();
    second = fleet.start(second.port(), "--runtime-config=batch/v1/cronjobs=false");
    awaitConsistent(false, first, second);
    first.process().stop();
    first = fleet.start(first.port(), "--runtime-config=batch/v1/cronjobs=false");
    awaitConsistent(true, first, second);
    assertThat(
            fleet.run("status", "--kubeconfig", fleet.kubeconfig(first).toString(), "-o", "json"))
        .anyMatch(line -> line.contains("\"consistent\": true"));
  }

  @Test
  void withoutIdentityALeaseGoesStaleAndIsCollectedWhenItIsOnAgain() throws Exception {
    controllers.pause();
    var old = second.api().id();
    second.process().kill();
    var without = fleet.start(second.port(), "--feature-gates=APIServerIdentity=false");
    assertThat(without.api().identities()).contains(old);
    without.process().stop();
    second = fleet.start(second.port());
    controllers.resume();
    awaitMembers(first, second);
  }
}
