package dev.muster.cli.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonObject;
import dev.muster.wire.JsonReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatusReaderTest {
  private static final Instant NOW = Instant.parse("2026-11-15T09:00:00Z");
  private static final String MANAGER =
      "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/muster-controller-manager";
  private static final String HASHES =
      "/apis/apiservercoordination.k8s.io/v1alpha1/discoverydochashes/builtin";
  private static final String SLICES =
      "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices"
          + "?labelSelector=kubernetes.io/service-name%3Dkubernetes";
  private static final String LEASES =
      "/apis/coordination.k8s.io/v1/namespaces/%s/leases"
          + "?labelSelector=apiserver.kubernetes.io/identity%%3Dkube-apiserver";

  /** What an API server would answer. */
  private final Map<String, String> answers = new HashMap<>();

  private Duration rested = Duration.ZERO;
  private @Nullable Instant askedClock = NOW;

  private final class Answers implements StatusReader.Api {
    @Override
    public String url() {
      return "https://192.0.2.1:6443";
    }

    @Override
    public JsonObject get(String path) {
      var answer = answers.get(path);
      return answer == null
          ? JsonObject.EMPTY
          : (JsonObject) JsonReader.read(answer.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String text(String path) {
      return answers.getOrDefault(path, "");
    }

    @Override
    public @Nullable Instant clock() {
      return askedClock;
    }
  }

  private FleetStatus read() {
    return read(Duration.ZERO, () -> {});
  }

  /** Asks with the patience to watch, while something happens at each look. */
  private FleetStatus read(Duration patience, Runnable meanwhile) {
    try {
      return new StatusReader(
              new Answers(),
              "kube-apiserver-lease",
              () -> NOW,
              new StatusReader.Patience(
                  patience,
                  time -> {
                    rested = rested.plus(time);
                    meanwhile.run();
                  }))
          .read();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void leases(String... items) {
    answers.put(
        LEASES.formatted("kube-apiserver-lease"),
        "{\"items\": [" + String.join(", ", items) + "]}");
  }

  private static FleetStatus.State state(FleetStatus status, String id) {
    return status.servers().stream()
        .filter(server -> server.id().equals(id))
        .findFirst()
        .orElseThrow()
        .state();
  }

  @Test
  void aLivingServerWhoseClockIsThreeHoursBehindIsLive() {
    leases(
        lease("right", "2026-11-15T08:59:55.000000Z", ""),
        lease("behind", "2026-11-15T05:59:57.000000Z", ""),
        lease("dead", "2026-11-15T05:59:57.000000Z", ""),
        lease("ahead", "2026-11-15T11:59:57.000000Z", ""),
        lease("dead-ahead", "2026-11-15T11:59:57.000000Z", ""));
    answers.put(
        "/metrics",
        """
        # HELP apiserver_identity_lease_silence_seconds How long ago.
        apiserver_identity_lease_silence_seconds{apiserver_id="ahead"} 3.0
        apiserver_identity_lease_silence_seconds{apiserver_id="behind"} 3.0
        apiserver_identity_lease_silence_seconds{apiserver_id="dead"} 10803.2
        apiserver_identity_lease_silence_seconds{apiserver_id="dead-ahead"} 1.2E3
        apiserver_identity_lease_silence_seconds{apiserver_id="right"} 5.25
        """);
    var status = read(Duration.ofSeconds(15), () -> {});
    assertThat(rested).as("nothing has to be watched").isZero();
    assertThat(state(status, "behind")).isEqualTo(FleetStatus.State.LIVE);
    assertThat(state(status, "ahead")).isEqualTo(FleetStatus.State.LIVE);
    assertThat(state(status, "right")).isEqualTo(FleetStatus.State.LIVE);
    assertThat(state(status, "dead")).isEqualTo(FleetStatus.State.EXPIRED);
    assertThat(state(status, "dead-ahead")).isEqualTo(FleetStatus.State.LATE);
    assertThat(new StatusText(status).text())
        .contains("behind       live      60m   3s")
        .contains(
            "the clock of behind is 3h behind that of the others",
            "the clock of ahead is 3h ahead of that of the others")
        .doesNotContain("the clock of right");
  }

  @Test
  void whereTheServerDoesNotTellADoubtfulLeaseIsWatchedForOneRenewal() {
    leases(
        lease("right", "2026-11-15T08:59:55.000000Z", ""),
        lease("behind", "2026-11-15T05:59:57.000000Z", ""),
        lease("dead", "2026-11-15T05:59:57.000000Z", ""));
    var status =
        read(
            Duration.ofSeconds(15),
            () -> {
              if (rested.toSeconds() == 8) {
                leases(
                    lease("right", "2026-11-15T08:59:55.000000Z", ""),
                    lease("behind", "2026-11-15T06:00:07.000000Z", "").replace("\"1\"", "\"2\""),
                    lease("dead", "2026-11-15T05:59:57.000000Z", ""));
              }
            });
    assertThat(rested).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(15));
    assertThat(state(status, "behind")).isEqualTo(FleetStatus.State.LIVE);
    assertThat(state(status, "right")).isEqualTo(FleetStatus.State.LIVE);
    assertThat(state(status, "dead")).isEqualTo(FleetStatus.State.EXPIRED);
  }

  @Test
  void watchingEndsWhenEverybodyWasSeen() {
    leases(lease("behind", "2026-11-15T05:59:57.000000Z", ""));
    read(
        Duration.ofSeconds(15),
        () -> leases(lease("behind", "2026-11-15T06:00:07.000000Z", "").replace("\"1\"", "\"2\"")));
    assertThat(rested).isLessThan(Duration.ofSeconds(1));
  }

  private static String lease(String holder, String renewed, String addresses) {
    return """
    {"metadata": {"name": "x", "resourceVersion": "1", "annotations": {"muster.dev/advertised-addresses": "%s"}},
     "spec": {"holderIdentity": "%s", "leaseDurationSeconds": 3600,
              "acquireTime": "2026-11-15T08:00:00.000000Z", "renewTime": "%s"}}\
    """
        .formatted(addresses, holder, renewed);
  }

  private static String row(String id, String hash) {
    return """
    {"apiServerID": "%s", "builtInAPIHash": "%s", "lastHeartbeatTime": "2026-11-15T08:59:00Z"}\
    """
        .formatted(id, hash);
  }

  private void aFleetInTheMiddleOfAnUpgrade() {
    answers.put("/version", "{\"gitVersion\": \"v1.36.4\"}");
    answers.put("/apis", "{\"consistent\": false}");
    answers.put(
        LEASES.formatted("kube-apiserver-lease"),
        "{\"items\": [%s, %s, %s]}"
            .formatted(
                lease("a", "2026-11-15T08:59:55.000000Z", "192.0.2.1:6443,[2001:db8::1]:6443"),
                lease("b", "2026-11-15T08:58:00.000000Z", "192.0.2.2:6443"),
                lease("c", "2026-11-15T07:00:00.000000Z", "192.0.2.3:6443")));
    answers.put(
        LEASES.formatted("kube-system"),
        "{\"items\": [%s]}".formatted(lease("apiserver-old_1", "2026-11-15T08:59:55.000000Z", "")));
    answers.put(
        "/apis/apiservercoordination.k8s.io/v1alpha1/discoverydochashes/builtin",
        "{\"hashes\": [%s, %s, %s]}"
            .formatted(
                row("a", "0123456789abcdef"),
                row("b", "fedcba9876543210"),
                row("d", "0123456789abcdef")));
    answers.put(
        "/api/v1/namespaces/default/services/kubernetes",
        "{\"spec\": {\"clusterIP\": \"10.0.0.1\", \"clusterIPs\": [\"10.0.0.1\", \"fd00::1\"]}}");
    answers.put(
        "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices"
            + "?labelSelector=kubernetes.io/service-name%3Dkubernetes",
        """
        {"items": [
          {"addressType": "IPv4", "ports": [{"port": 6443}],
           "endpoints": [{"addresses": ["192.0.2.2"]}, {"addresses": ["192.0.2.1"]}]},
          {"addressType": "IPv6", "ports": [{"port": 6443}],
           "endpoints": [{"addresses": ["2001:db8::1"]}]}]}\
        """);
    answers.put(
        "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/muster-controller-manager",
        """
        {"spec": {"holderIdentity": "host_1", "acquireTime": "2026-11-15T08:00:00.000000Z",
                  "renewTime": "2026-11-15T08:59:58.000000Z"}}\
        """);
    answers.put(
        "/readyz?verbose", "[+]ping ok\n[-]etcd failed: reason withheld\nreadyz check failed\n");
  }

  @Test
  void showsWhoIsThereAndWhoDisagrees() {
    aFleetInTheMiddleOfAnUpgrade();
    assertThat(new StatusText(read()).text())
        .isEqualTo(
            """
            5 API servers, as https://192.0.2.1:6443 (v1.36.4) sees them

            ID                STATE      AGE   HEARTBEAT   ADDRESSES                            HASH
            a                 live       60m   5s          192.0.2.1:6443, [2001:db8::1]:6443   0123456789ab
            b                 late       60m   2m          192.0.2.2:6443                       fedcba987654 disagrees
            c                 expired    60m   120m        192.0.2.3:6443                       not reported
            apiserver-old_1   live       60m   5s          -                                    not reported
            d                 no lease   -     60s         -                                    0123456789ab

            Discovery           INCONSISTENT: 0123456789ab by a, d; fedcba987654 by b; no hash by apiserver-old_1
            Service             kubernetes 10.0.0.1, fd00::1
            Endpoints IPv4      192.0.2.1:6443, 192.0.2.2:6443
            Endpoints IPv6      [2001:db8::1]:6443
            Controller manager  host_1, since 60m, renewed 2s ago
            Store               NOT IN CONTACT, failing checks: etcd

            Wrong
              1. the server that was asked is not in contact with the store, so what it says may be old
              2. b does not renew its Lease: it hangs, is paused, or cannot write
              3. d has a discovery hash and no identity Lease
              4. the servers do not serve the same APIs. By hash: 0123456789ab: 2 (a, d); fedcba987654: 1 (b)

            To do
              1. look whether the store runs and at that server's log
              2. look at its log; it goes on by itself when the store answers
              3. if it runs, look whether APIServerIdentity is off there; else the hash goes in 15 minutes
              4. in an upgrade, finish it; else compare --runtime-config, --feature-gates and the version of the servers\
            """);
  }

  @Test
  void namesEndpointsThatNoIdentityLeaseStandsBehind() {
    aFleetInTheMiddleOfAnUpgrade();
    answers.put(
        "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices"
            + "?labelSelector=kubernetes.io/service-name%3Dkubernetes",
        """
        {"items": [
          {"addressType": "IPv4", "ports": [{"port": 6443}],
           "endpoints": [{"addresses": ["192.0.2.1"]}, {"addresses": ["192.0.2.66"]}]}]}\
        """);
    assertThat(strangeEndpoints())
        .as("there is one Lease of a kube-apiserver, which does not say where it is")
        .isEmpty();
    answers.remove(LEASES.formatted("kube-system"));
    assertThat(strangeEndpoints()).containsExactly("192.0.2.66:6443");
    answers.remove(LEASES.formatted("kube-apiserver-lease"));
    assertThat(strangeEndpoints()).as("without any Lease there is nothing to compare").isEmpty();
  }

  private List<String> strangeEndpoints() {
    return read().problems().stream()
        .filter(problem -> problem.code().equals("EndpointWithoutLease"))
        .map(StatusProblem::subject)
        .toList();
  }

  @Test
  void programsGetTheSameInFull() {
    aFleetInTheMiddleOfAnUpgrade();
    var json = StatusJson.of(read());
    assertThat(json.array("servers").size()).isEqualTo(5);
    var first = json.array("servers").object(0);
    assertThat(first.string("hash")).isEqualTo("0123456789abcdef");
    assertThat(first.isTrue("agrees")).isTrue();
    assertThat(first.string("lastHeartbeat")).isEqualTo("2026-11-15T08:59:55.000000Z");
    assertThat(json.object("discovery").array("withoutHash").strings())
        .containsExactly("apiserver-old_1");
    assertThat(json.object("endpoints").array("IPv6").strings())
        .containsExactly("[2001:db8::1]:6443");
    assertThat(json.object("controllerManager").string("holder")).isEqualTo("host_1");
    assertThat(json.object("health").isTrue("store")).isFalse();
  }

  @Test
  void aServerThatKnowsNothingOfFleetsIsShownAsItIs() {
    answers.put("/version", "{\"gitVersion\": \"v1.30.0\"}");
    answers.put("/readyz?verbose", "[+]etcd ok\nreadyz check passed\n");
    assertThat(new StatusText(read()).text())
        .isEqualTo(
            """
            The API server https://192.0.2.1:6443 (v1.30.0) answers; no API server has an identity Lease

            Discovery           not coordinated
            Service             kubernetes -
            Endpoints IPv4      -
            Endpoints IPv6      -
            Controller manager  none
            Store               ok

            Wrong
              1. no controller manager leads

            To do
              1. start muster controller-manager or kube-controller-manager, unless that is intended\
            """);
  }

  @Test
  void whereNoHashIsMoreCommonNobodyIsRight() {
    answers.put(
        "/apis/apiservercoordination.k8s.io/v1alpha1/discoverydochashes/builtin",
        "{\"hashes\": [%s, %s]}".formatted(row("a", "1"), row("b", "2")));
    assertThat(read().servers()).noneMatch(FleetStatus.Server::isOfMost);
  }

  private static List<String> codes(FleetStatus status) {
    return status.problems().stream().map(StatusProblem::code).toList();
  }

  private void manager(String renewed, String version) {
    answers.put(
        MANAGER,
        """
        {"metadata": {"resourceVersion": "%s"},
         "spec": {"holderIdentity": "host_1", "leaseDurationSeconds": 15,
                  "acquireTime": "2026-11-15T11:00:00.000000Z", "renewTime": "%s"}}\
        """
            .formatted(version, renewed));
  }

  /** A fleet in which nothing is wrong. */
  private void aSoundFleet(String... ids) {
    answers.put("/version", "{\"gitVersion\": \"v1.36.4\"}");
    answers.put("/apis", "{\"consistent\": true}");
    var leases = new ArrayList<String>();
    var rows = new ArrayList<String>();
    var endpoints = new ArrayList<String>();
    for (var id : ids) {
      var address = "192.0.2." + (leases.size() + 1);
      leases.add(lease(id, "2026-11-15T08:59:55.000000Z", address + ":6443"));
      rows.add(row(id, "same"));
      endpoints.add("{\"addresses\": [\"" + address + "\"]}");
    }
    leases(leases.toArray(String[]::new));
    answers.put(HASHES, "{\"hashes\": [" + String.join(", ", rows) + "]}");
    endpoints(endpoints);
    answers.put("/readyz?verbose", "[+]etcd ok\nreadyz check passed\n");
    manager("2026-11-15T08:59:58.000000Z", "1");
  }

  private void endpoints(List<String> endpoints) {
    answers.put(
        SLICES,
        "{\"items\": [{\"addressType\": \"IPv4\", \"ports\": [{\"port\": 6443}], \"endpoints\": ["
            + String.join(", ", endpoints)
            + "]}]}");
  }

  @Test
  void nothingIsWrongWithASoundFleet() {
    aSoundFleet("a", "b", "c");
    assertThat(read().problems()).isEmpty();
    assertThat(new StatusText(read()).text()).doesNotContain("Wrong", "To do");
  }

  @ParameterizedTest
  @CsvSource({"12:00:07, 3h ahead of", "05:59:53, 3h behind"})
  void aManagerWithAWrongClockIsWatchedUntilItRenews(String time, String offset) {
    aSoundFleet("a", "b", "c");
    manager("2026-11-15T" + time + ".000000Z", "1");
    var status =
        read(Duration.ofSeconds(15), () -> manager("2026-11-15T" + time + ".500000Z", "2"));
    assertThat(rested).isLessThan(Duration.ofSeconds(2));
    assertThat(codes(status)).containsExactly("ClockSkew");
    assertThat(new StatusText(status).text())
        .contains("host_1", "renewed 0s ago")
        .contains("1. the clock of host_1 is " + offset + " that of the others")
        .contains("1. set the clock there");
    var leader = StatusJson.of(status).object("controllerManager");
    assertThat(leader.string("state")).isEqualTo("live");
    assertThat(Math.abs(leader.integer("clockOffsetSeconds", 0))).isEqualTo(3 * 3600 + 7);
    assertThat(StatusJson.of(status).array("problems").object(0).string("code"))
        .isEqualTo("ClockSkew");
  }

  @Test
  void aManagerWhoseTimeIsOfTheFutureAndThatDoesNotRenewIsSilent() {
    aSoundFleet("a");
    manager("2026-11-15T12:00:07.000000Z", "1");
    var status = read(Duration.ofSeconds(15), () -> {});
    assertThat(codes(status)).containsExactly("ControllerManagerSilent");
    assertThat(new StatusText(status).text())
        .contains("Controller manager  host_1, SILENT; its Lease says in 3h")
        .contains("host_1 has not renewed its Lease for the 15s it was watched");
    assertThat(codes(read())).as("not watched").containsExactly("ControllerManagerDoubtful");
  }

  @Test
  void theClockOfThisMachineIsNamedWhenItIsTheWrongOne() {
    leases(
        lease("a", "2026-11-15T05:59:55.000000Z", ""),
        lease("b", "2026-11-15T05:59:56.000000Z", ""));
    answers.put(
        "/metrics",
        """
        apiserver_identity_lease_silence_seconds{apiserver_id="a"} 3.0
        apiserver_identity_lease_silence_seconds{apiserver_id="b"} 3.0
        """);
    manager("2026-11-15T05:59:58.000000Z", "1");
    answers.put("/readyz?verbose", "[+]etcd ok\nreadyz check passed\n");
    var status = read(Duration.ofSeconds(15), () -> manager("2026-11-15T06:00:00.000000Z", "2"));
    assertThat(status.problems())
        .singleElement()
        .extracting(StatusProblem::problem)
        .isEqualTo("the clock of this machine is 3h ahead of that of the others");
  }

  @Test
  void aServerWhoseClockIsKnownByItsAnswersOnlyIsCompared() {
    answers.put("/readyz?verbose", "[+]etcd ok\nreadyz check passed\n");
    askedClock = NOW.plus(Duration.ofHours(3));
    assertThat(read().problems())
        .extracting(StatusProblem::problem)
        .contains("the clock of https://192.0.2.1:6443 is 3h ahead of that of this machine");
  }

  @Test
  void ofTwoGroupsOfOneSizeNeitherDisagreesAndBothAreNamed() {
    aSoundFleet("a", "b", "c", "d");
    answers.put("/apis", "{\"consistent\": false}");
    answers.put(
        HASHES,
        "{\"hashes\": [%s, %s, %s, %s]}"
            .formatted(row("a", "1"), row("b", "1"), row("c", "2"), row("d", "2")));
    var status = read();
    assertThat(new StatusText(status).text())
        .doesNotContain("disagrees")
        .contains(
            "the servers do not serve the same APIs, and no group is larger than the others."
                + " By hash: 1: 2 (a, b); 2: 2 (c, d)");
    assertThat(StatusJson.of(status).array("servers").objects())
        .noneMatch(server -> server.has("agrees"));
    assertThat(codes(status)).containsExactly("DiscoveryInconsistent");
  }

  @Test
  void theHashOfADeadServerDoesNotDecide() {
    aSoundFleet("a", "b");
    answers.put("/apis", "{\"consistent\": false}");
    answers.put(HASHES, "{\"hashes\": [%s, %s]}".formatted(row("a", "1"), row("b", "2")));
    leases(
        lease("a", "2026-11-15T08:59:55.000000Z", "192.0.2.1:6443"),
        lease("b", "2026-11-15T05:00:00.000000Z", "192.0.2.2:6443"));
    var agreements = read().servers().stream().map(FleetStatus.Server::agrees).toList();
    assertThat(agreements)
        .containsExactly(FleetStatus.Agreement.OF_MOST, FleetStatus.Agreement.OF_FEWER);
  }

  @Test
  void aStoreThatTakesNoWritesIsReachedAndSaysWhy() {
    answers.put("/apis", "{\"consistent\": false}");
    answers.put(
        "/readyz?verbose",
        "[+]ping ok\n[+]etcd ok\n[-]storage-writes failed: reason withheld\nreadyz check failed\n");
    answers.put("/readyz/storage-writes", "internal server error: the disk is full\n");
    manager("2026-11-15T08:59:58.000000Z", "1");
    var status = read();
    assertThat(new StatusText(status).text())
        .contains("Store               reached, TAKES NO WRITES, failing checks: storage-writes")
        .contains("Discovery           not known: no server reports what it serves")
        .contains("The API server https://192.0.2.1:6443 () answers")
        .contains("1. the store is reached and does not take every write: the disk is full")
        .contains("1. make room")
        .doesNotContain("INCONSISTENT", "NOT IN CONTACT", "0 API servers");
    assertThat(codes(status)).containsExactly("StoreTakesNoWrites");
    var health = StatusJson.of(status).object("health");
    assertThat(health.isTrue("store")).isTrue();
    assertThat(health.string("storeState")).isEqualTo("read only");
    assertThat(health.object("reasons").string("storage-writes")).isEqualTo("the disk is full");
  }

  @Test
  void anEndpointOfNoKnownServerIsNamed() {
    aSoundFleet("a", "b", "c");
    endpoints(
        IntStream.rangeClosed(1, 4)
            .mapToObj(i -> "{\"addresses\": [\"192.0.2." + i + "\"]}")
            .toList());
    var status = read();
    assertThat(codes(status)).containsExactly("EndpointWithoutLease");
    assertThat(new StatusText(status).text())
        .contains(
            "3 API servers are known and 4 endpoints are published: 192.0.2.4:6443 belongs to no"
                + " Lease")
        .contains("switch APIServerIdentity on");
  }

  @Test
  void aLivingServerThatIsNotPublishedIsNamed() {
    aSoundFleet("a", "b");
    endpoints(List.of("{\"addresses\": [\"192.0.2.1\"]}"));
    assertThat(read().problems())
        .singleElement()
        .extracting(StatusProblem::problem)
        .isEqualTo("b lives and is not published at 192.0.2.2:6443");
  }

  @Test
  void aServerThatDoesNotSayHowItIsIsNotCalledSickOrSound() {
    aSoundFleet("a");
    answers.put("/readyz?verbose", "Forbidden");
    var status = read();
    assertThat(codes(status)).containsExactly("HealthUnknown");
    assertThat(new StatusText(status).text()).contains("Store               not known");
  }
}
