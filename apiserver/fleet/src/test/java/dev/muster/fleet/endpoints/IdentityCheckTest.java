package dev.muster.fleet.endpoints;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.fleet.endpoints.form.Endpoint;
import dev.muster.fleet.endpoints.form.FleetMember;
import dev.muster.fleet.endpoints.form.FleetMember.Source;
import dev.muster.model.identity.IdentityLease;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;

class IdentityCheckTest {
  private static final Endpoint ONE = new Endpoint("192.0.2.1", 6443);
  private static final Endpoint TWO = new Endpoint("2001:db8::2", 6443);
  private static final Endpoint FORGED = new Endpoint("192.0.2.66", 6443);

  private static IdentityLease lease(String id, String... addresses) {
    return new IdentityLease(
        "n",
        id.toLowerCase(Locale.ROOT),
        "uid",
        "1",
        id,
        "",
        true,
        null,
        null,
        null,
        Duration.ofSeconds(10),
        List.of(addresses),
        "",
        "");
  }

  private static FleetMember member(String id, Source source, Endpoint endpoint) {
    return new FleetMember(id, List.of(endpoint.address()), endpoint.port(), source);
  }

  private static List<Endpoint> without(
      Set<Endpoint> published, List<FleetMember> members, IdentityLease... own) {
    return IdentityCheck.withoutLease(published, members, List.of(own), List.of());
  }

  @Test
  void anEndpointIsKnownByTheAddressInALeaseOrByTheRecordOfItsServer() {
    assertThat(
            without(
                Set.of(ONE, TWO, FORGED),
                List.of(member("B", Source.LEASE, TWO)),
                lease("A", "192.0.2.1:6443"),
                lease("B")))
        .containsExactly(FORGED);
    assertThat(without(Set.of(TWO), List.of(), lease("A", "[2001:db8::2]:6443"))).isEmpty();
    assertThat(without(Set.of(ONE), List.of(), lease("A", "192.0.2.1:7443"))).containsExactly(ONE);
  }

  @Test
  void aRecordWithoutALeaseIsNotEnough() {
    assertThat(
            without(
                Set.of(ONE, FORGED),
                List.of(member("X", Source.LEASE, FORGED), member("A", Source.LEASE, ONE)),
                lease("A")))
        .containsExactly(FORGED);
  }

  @Test
  void withoutAnyLeaseThereIsNothingToCompare() {
    assertThat(without(Set.of(ONE, FORGED), List.of())).isEmpty();
  }

  @Test
  void kubeApiserversAreCountedForTheirLeasesDoNotSayWhereTheyAre() {
    var members =
        List.of(
            member("192.0.2.1", Source.MASTER_LEASE, ONE),
            member("192.0.2.66", Source.MASTER_LEASE, FORGED));
    var published = Set.of(ONE, FORGED);
    assertThat(
            IdentityCheck.withoutLease(
                published, members, List.of(), List.of(lease("apiserver-a"), lease("apiserver-b"))))
        .isEmpty();
    assertThat(
            IdentityCheck.withoutLease(
                published, members, List.of(), List.of(lease("apiserver-a"))))
        .containsExactlyInAnyOrder(ONE, FORGED);
  }

  @Test
  void aLeaseInTheNamespaceOfKubeApiserversVouchesForNoAddress() {
    assertThat(
            IdentityCheck.withoutLease(
                Set.of(FORGED), List.of(), List.of(), List.of(lease("x", "192.0.2.66:6443"))))
        .containsExactly(FORGED);
  }

  @Test
  void whatComesAndGoesIsNoNews() {
    var check = new IdentityCheck();
    assertThat(check.lasting(List.of(FORGED), Duration.ofSeconds(100))).isEmpty();
    assertThat(check.lasting(List.of(FORGED), Duration.ofSeconds(129))).isEmpty();
    assertThat(check.lasting(List.of(FORGED), Duration.ofSeconds(130))).containsExactly(FORGED);
    assertThat(check.lasting(List.of(), Duration.ofSeconds(131))).isEmpty();
    assertThat(check.lasting(List.of(FORGED), Duration.ofSeconds(132))).isEmpty();
  }
}
