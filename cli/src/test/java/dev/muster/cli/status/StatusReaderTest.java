package dev.muster.cli.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonObject;
import dev.muster.wire.JsonReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StatusReaderTest {
  private static final Instant NOW = Instant.parse("2026-11-15T09:00:00Z");
  private static final String LEASES =
      "/apis/coordination.k8s.io/v1/namespaces/%s/leases"
          + "?labelSelector=apiserver.kubernetes.io/identity%%3Dkube-apiserver";

  /** What an API server would answer. */
  private final Map<String, String> answers = new HashMap<>();

  private Duration rested = Duration.ZERO;

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
            "Clock               behind is 3h behind", "Clock               ahead is 3h ahead")
        .doesNotContain("right is");
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
            Store               NOT IN CONTACT, failing checks: etcd\
            """);
  }

  @Test
  void namesEndpointsThatNoIdentityLeaseStandsBehind() {
    aFleetInTheMiddleOfAnUpgrade();
    assertThat(EndpointFindings.withoutLease(read())).isEmpty();
    answers.put(
        "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices"
            + "?labelSelector=kubernetes.io/service-name%3Dkubernetes",
        """
        {"items": [
          {"addressType": "IPv4", "ports": [{"port": 6443}],
           "endpoints": [{"addresses": ["192.0.2.1"]}, {"addresses": ["192.0.2.66"]}]}]}\
        """);
    assertThat(EndpointFindings.withoutLease(read()))
        .as("there is one Lease of a kube-apiserver, which does not say where it is")
        .isEmpty();
    answers.remove(LEASES.formatted("kube-system"));
    assertThat(new StatusText(read()).text())
        .contains("Endpoints           192.0.2.66:6443 is published WITHOUT AN IDENTITY LEASE");
    assertThat(StatusJson.of(read()).array("endpointsWithoutLease").strings())
        .containsExactly("192.0.2.66:6443");
    answers.remove(LEASES.formatted("kube-apiserver-lease"));
    assertThat(EndpointFindings.withoutLease(read()))
        .as("without any Lease there is nothing to compare")
        .isEmpty();
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
            0 API servers, as https://192.0.2.1:6443 (v1.30.0) sees them

            Discovery           not coordinated
            Service             kubernetes -
            Endpoints IPv4      -
            Endpoints IPv6      -
            Controller manager  none
            Store               ok\
            """);
  }

  @Test
  void whereNoHashIsMoreCommonNobodyIsRight() {
    answers.put(
        "/apis/apiservercoordination.k8s.io/v1alpha1/discoverydochashes/builtin",
        "{\"hashes\": [%s, %s]}".formatted(row("a", "1"), row("b", "2")));
    assertThat(read().servers()).noneMatch(FleetStatus.Server::agrees);
  }
}
