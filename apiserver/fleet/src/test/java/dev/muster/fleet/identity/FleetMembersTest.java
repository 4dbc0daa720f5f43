package dev.muster.fleet.identity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.fleet.TestClock;
import dev.muster.fleet.TestServer;
import dev.muster.fleet.observation.ObservedTime;
import dev.muster.model.GroupVersionResource;
import dev.muster.model.Timestamps;
import dev.muster.model.identity.IdentityLease;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.store.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FleetMembersTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final IdentityOptions OPTIONS = IdentityOptions.defaults();

  private final MemoryStore store = new MemoryStore();
  private final TestClock clock = TestClock.create();
  private final TestServer server = new TestServer(store, clock);
  private final FleetMembers members = new FleetMembers(server.replica(), OPTIONS, clock);

  @BeforeEach
  void makeNamespaces() {
    server.makeNamespace(OPTIONS.namespace());
    server.makeNamespace("kube-system");
    server.makeNamespace("elsewhere");
  }

  @AfterEach
  void close() {
    server.close();
    store.close();
  }

  private void lease(String namespace, String name, boolean labelled, Instant renewed) {
    var labels =
        labelled
            ? JsonObject.of(IdentityLease.LABEL, IdentityLease.LABEL_VALUE)
            : JsonObject.of("some", "label");
    server.createLease(
        JsonObject.of(
            "apiVersion",
            "coordination.k8s.io/v1",
            "kind",
            "Lease",
            "metadata",
            JsonObject.of("name", name, "namespace", namespace, "labels", labels),
            "spec",
            JsonObject.of(
                "holderIdentity",
                name,
                "leaseDurationSeconds",
                3600,
                "renewTime",
                Timestamps.formatMicro(renewed))));
  }

  private void renew(String name, Instant time) {
    server
        .objects()
        .change(
            new GroupVersionResource("coordination.k8s.io", "v1", "leases"),
            OPTIONS.namespace(),
            name,
            lease ->
                lease == null
                    ? null
                    : lease.withAt(Json.of(Timestamps.formatMicro(time)), "spec", "renewTime"));
  }

  /** Time goes by, second for second, while a server renews every ten by its own clock. */
  private void pass(int seconds, List<String> renewing, Duration skew) {
    for (int i = 1; i <= seconds; i++) {
      clock.advance(SECOND);
      if (i % 10 == 0) {
        renewing.forEach(name -> renew(name, clock.instant().plus(skew)));
      }
      members.check(new ObservedTime.Step(SECOND, false));
    }
  }

  @Test
  void findsLabelledLeasesInItsNamespaceAndUpstreams() {
    lease(OPTIONS.namespace(), "a", true, clock.instant());
    lease(OPTIONS.namespace(), "x", false, clock.instant());
    lease("kube-system", "apiserver-up", true, clock.instant());
    lease("kube-system", "kube-scheduler", false, clock.instant());
    lease("elsewhere", "y", true, clock.instant());
    members.check(new ObservedTime.Step(SECOND, false));
    assertThat(members.living()).containsExactlyInAnyOrder("a", "apiserver-up");
  }

  @Test
  void whoDoesNotRenewForThreeIntervalsDoesNotRespondButLivesOn() {
    lease(OPTIONS.namespace(), "a", true, clock.instant());
    lease(OPTIONS.namespace(), "b", true, clock.instant());
    pass(60, List.of("a", "b"), Duration.ZERO);
    assertThat(members.responding()).containsExactly("a", "b");
    pass(29, List.of("a"), Duration.ZERO);
    assertThat(members.responding()).containsExactly("a", "b");
    pass(2, List.of("a"), Duration.ZERO);
    assertThat(members.responding()).containsExactly("a");
    assertThat(members.living()).containsExactly("a", "b");
    renew("b", clock.instant());
    members.check(new ObservedTime.Step(SECOND, false));
    assertThat(members.responding()).containsExactly("a", "b");
  }

  @ParameterizedTest
  @ValueSource(ints = {-60, -5, 5, 60})
  void aWrongClockMakesNobodyLookDead(int minutes) {
    var skew = Duration.ofMinutes(minutes);
    lease(OPTIONS.namespace(), "a", true, clock.instant().plus(skew));
    lease(OPTIONS.namespace(), "b", true, clock.instant());
    for (int i = 0; i < 12; i++) {
      pass(10, List.of("a"), skew);
      renew("b", clock.instant());
      assertThat(members.responding()).containsExactly("a", "b");
      assertThat(members.living()).containsExactly("a", "b");
    }
    pass(31, List.of(), skew);
    assertThat(members.responding()).isEmpty();
  }

  @Test
  void aLeaseThatWasOldAtFirstSightIsAsOldAsItSays() {
    lease(OPTIONS.namespace(), "dead", true, clock.instant().minus(Duration.ofMinutes(40)));
    members.check(new ObservedTime.Step(SECOND, false));
    pass(29, List.of(), Duration.ZERO);
    assertThat(members.all().getFirst().silence()).isLessThan(Duration.ofMinutes(1));
    pass(1, List.of(), Duration.ZERO);
    assertThat(members.all().getFirst().silence()).isGreaterThan(Duration.ofMinutes(40));
  }

  @Test
  void timeInWhichNobodyLookedDoesNotCount() {
    lease(OPTIONS.namespace(), "a", true, clock.instant());
    pass(20, List.of("a"), Duration.ZERO);
    clock.advance(Duration.ofMinutes(20));
    members.check(new ObservedTime.Step(Duration.ofSeconds(2), false));
    assertThat(members.responding()).containsExactly("a");
  }
}
