package dev.muster.server.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.address.Cidr;
import dev.muster.model.address.Ip;
import dev.muster.pki.CertificateNames;
import dev.muster.server.start.ServingCertificate;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdvertisedTest {
  private static final String FOUR = "10.0.0.0/24";
  private static final String BOTH = "10.0.0.0/24,fd00::/112";
  private static final String SIX_FIRST = "fd00::/112,10.0.0.0/24";
  private static final HostAddresses BOTH_FAMILIES =
      six -> Optional.of(InetAddress.ofLiteral(six ? "2001:db8::9" : "192.0.2.9"));
  private static final HostAddresses FOUR_ONLY =
      six -> six ? Optional.empty() : Optional.of(InetAddress.ofLiteral("192.0.2.9"));

  private static ApiServerOptions options(
      String bind, String advertise, String ranges, boolean gate) {
    var defaults = ApiServerOptions.defaults();
    return defaults.with(
        new ListenOptions(addresses(bind), 6443, addresses(advertise), null, 250),
        new ApiOptions(Map.of(), Map.of("DualStackAPIServer", gate)),
        new ServiceOptions(
            Arrays.stream(ranges.split(",")).map(Cidr::parse).toList(),
            defaults.services().nodePorts()));
  }

  private static List<InetAddress> addresses(String texts) {
    return texts.isEmpty()
        ? List.of()
        : Arrays.stream(texts.split(",")).map(InetAddress::ofLiteral).toList();
  }

  private static List<String> advertised(ApiServerOptions options, HostAddresses host) {
    return Advertised.of(options, host).addresses().stream()
        .map(address -> Ip.of(address).toString())
        .toList();
  }

  @Test
  void givenAddressesComeInTheOrderOfTheRanges() {
    assertThat(advertised(options("", "192.0.2.1,fd01::1", BOTH, true), FOUR_ONLY))
        .containsExactly("192.0.2.1", "fd01::1");
    assertThat(advertised(options("", "192.0.2.1,fd01::1", SIX_FIRST, true), FOUR_ONLY))
        .containsExactly("fd01::1", "192.0.2.1");
    assertThat(advertised(options("", "192.0.2.1", BOTH, true), BOTH_FAMILIES))
        .containsExactly("192.0.2.1");
  }

  @Test
  void withTheFeatureOffTheFirstFamilyAloneIsAdvertised() {
    assertThat(advertised(options("", "192.0.2.1,fd01::1", BOTH, false), BOTH_FAMILIES))
        .containsExactly("192.0.2.1");
    assertThat(advertised(options("", "", SIX_FIRST, false), BOTH_FAMILIES))
        .containsExactly("2001:db8::9");
  }

  @Test
  void whatIsNotGivenIsFoundForEachFamily() {
    assertThat(advertised(options("", "", BOTH, true), BOTH_FAMILIES))
        .containsExactly("192.0.2.9", "2001:db8::9");
    assertThat(advertised(options("", "", BOTH, true), FOUR_ONLY)).containsExactly("192.0.2.9");
    assertThat(advertised(options("", "", FOUR, true), BOTH_FAMILIES)).containsExactly("192.0.2.9");
    assertThat(advertised(options("0.0.0.0", "", BOTH, true), BOTH_FAMILIES))
        .containsExactly("192.0.2.9", "2001:db8::9");
    assertThat(advertised(options("192.0.2.5", "", BOTH, true), BOTH_FAMILIES))
        .containsExactly("192.0.2.5");
    assertThat(advertised(options("192.0.2.5,::", "", BOTH, true), BOTH_FAMILIES))
        .containsExactly("192.0.2.5", "2001:db8::9");
    assertThat(advertised(options("192.0.2.5,fd01::5", "", SIX_FIRST, true), BOTH_FAMILIES))
        .containsExactly("fd01::5", "192.0.2.5");
  }

  @Test
  void thereIsAlwaysAnAddress() {
    assertThat(advertised(options("::1", "", FOUR, true), BOTH_FAMILIES)).containsExactly("::1");
    assertThat(advertised(options("", "", FOUR, true), six -> Optional.empty()))
        .containsExactly("127.0.0.1");
  }

  @Test
  void whatTheRangesCannotCarryIsRefused() {
    assertThatThrownBy(() -> advertised(options("", "192.0.2.1,fd01::1", FOUR, true), FOUR_ONLY))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "--advertise-address: fd01::1 is an IPv6 address, but --service-cluster-ip-range has no"
                + " IPv6 range");
    assertThatThrownBy(() -> advertised(options("", "fd01::1", BOTH, true), FOUR_ONLY))
        .hasMessage(
            "--advertise-address: fd01::1 is an IPv6 address, but the first range of"
                + " --service-cluster-ip-range, 10.0.0.0/24, is of the other family");
  }

  @Test
  void aFamilyThatNobodyListensOnIsNotAdvertised() {
    assertThatThrownBy(() -> options("10.78.0.1", "10.78.0.1,fd78::1", BOTH, true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "--advertise-address: fd78::1 is an IPv6 address, but --bind-address, 10.78.0.1,"
                + " listens on IPv4 only");
    assertThatThrownBy(() -> options("fd78::1", "10.78.0.1", FOUR, true))
        .hasMessage(
            "--advertise-address: 10.78.0.1 is an IPv4 address, but --bind-address, fd78::1,"
                + " listens on IPv6 only");
    for (var ranges : List.of(FOUR, BOTH)) {
      assertThatThrownBy(() -> options("fd78::1", "", ranges, true))
          .hasMessage(
              "--bind-address: fd78::1 is an IPv6 address, but the first range of"
                  + " --service-cluster-ip-range, 10.0.0.0/24, is of the other family: nobody would"
                  + " be behind the Service kubernetes");
    }
    assertThatThrownBy(() -> options("127.0.0.1,fd78::1", "", BOTH, true))
        .hasMessageStartingWith("--bind-address: fd78::1 is an IPv6 address");
    assertThat(advertised(options("10.78.0.1", "", BOTH, true), BOTH_FAMILIES))
        .containsExactly("10.78.0.1");
    assertThat(advertised(options("0.0.0.0", "10.78.0.1,fd78::1", BOTH, true), FOUR_ONLY))
        .hasSize(2);
    assertThat(advertised(options("127.0.0.1", "10.78.0.1,fd78::1", BOTH, true), FOUR_ONLY))
        .as("behind a proxy on this machine")
        .hasSize(2);
  }

  @Test
  void thisMachineHasAtMostOneAddressOfEachFamilyThatOthersCanReach() {
    for (boolean six : new boolean[] {false, true}) {
      HostAddresses.ofThisMachine(six)
          .ifPresent(
              address ->
                  assertThat(
                          address.isLoopbackAddress()
                              || address.isLinkLocalAddress()
                              || address.isAnyLocalAddress())
                      .isFalse());
    }
  }

  @Test
  void certificatesHoldEveryAddressAndAreRenewedWhenTheseChange(@TempDir Path folder) {
    var before = certificate(folder, options("", "192.0.2.1", FOUR, true));
    assertThat(certificate(folder, options("", "192.0.2.1", FOUR, true))).isEqualTo(before);
    var after = certificate(folder, options("127.0.0.1,fd01::5", "192.0.2.1,fd01::1", BOTH, true));
    assertThat(after.addresses())
        .contains(
            InetAddress.ofLiteral("192.0.2.1"),
            InetAddress.ofLiteral("fd01::1"),
            InetAddress.ofLiteral("fd01::5"),
            InetAddress.ofLiteral("10.0.0.1"),
            InetAddress.ofLiteral("fd00::1"),
            InetAddress.ofLiteral("127.0.0.1"),
            InetAddress.ofLiteral("::1"));
    assertThat(before.addresses()).doesNotContain(InetAddress.ofLiteral("fd00::1"));
  }

  @Test
  void aSelfMadeCertificateIsRenewedBeforeItEnds(@TempDir Path folder) {
    var now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    InstantSource clock = () -> Objects.requireNonNull(now.get());
    var tls =
        new ServingOptions(
            null, null, folder, ServingOptions.defaults().minimumVersion(), List.of());
    var names = CertificateNames.ofServer("host", List.of());
    var certificate = ServingCertificate.of(tls, names, clock);
    var first = certificate.material().chain();
    now.set(clock.instant().plus(Duration.ofDays(30)));
    certificate.refresh();
    assertThat(certificate.material().chain()).isEqualTo(first);
    now.set(clock.instant().plus(Duration.ofDays(270)));
    certificate.refresh();
    assertThat(certificate.material().chain()).isNotEqualTo(first);
    assertThat(CertificateNames.in(certificate.material().chain().getFirst()).holds(names))
        .isTrue();
  }

  private static CertificateNames certificate(Path folder, ApiServerOptions options) {
    var defaults = ServingOptions.defaults();
    var tls = new ServingOptions(null, null, folder, defaults.minimumVersion(), List.of());
    var names = Advertised.of(options, FOUR_ONLY).names(options);
    var chain = ServingCertificate.of(tls, names, InstantSource.system()).material().chain();
    return CertificateNames.in(chain.getFirst());
  }
}
