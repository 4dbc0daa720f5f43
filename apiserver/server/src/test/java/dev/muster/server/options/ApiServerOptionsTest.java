package dev.muster.server.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.authorization.modes.AuthorizerType;
import dev.muster.model.address.Cidr;
import dev.muster.server.options.ServiceOptions.PortRange;
import dev.muster.server.options.flag.Flag;
import dev.muster.server.options.flag.FlagGroup;
import java.lang.reflect.RecordComponent;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.Test;

class ApiServerOptionsTest {
  @Test
  void changingOneGroupLeavesTheOthersAsTheyAre() {
    var audit = AuditOptions.defaults();
    var other = new AuditOptions(Path.of("/policy"), audit.log(), audit.webhook());
    var options = DEFAULTS.withAudit(other);
    assertThat(options.withRequests(DEFAULTS.requests())).isEqualTo(options);
    assertThat(options.withStorage(DEFAULTS.storage())).isEqualTo(options);
    assertThat(options.withAdmission(DEFAULTS.admission())).isEqualTo(options);
    assertThat(options.withListen(DEFAULTS.listen())).isEqualTo(options);
    assertThat(options.withAudit(audit)).isEqualTo(DEFAULTS);
  }

  private static final ApiServerOptions DEFAULTS = ApiServerOptions.defaults();

  @Test
  void defaultsAreKubeApiserversOnes() {
    assertThat(DEFAULTS.listen().bindAddresses()).isEmpty();
    assertThat(DEFAULTS.listen().securePort()).isEqualTo(6443);
    assertThat(DEFAULTS.tls().certificateFolder()).isEqualTo(Path.of("/var/run/kubernetes"));
    assertThat(DEFAULTS.requests().timeout()).isEqualTo(Duration.ofMinutes(1));
    assertThat(DEFAULTS.requests().minWatchSeconds()).isEqualTo(1800);
    assertThat(DEFAULTS.requests().maxInFlight()).isEqualTo(400);
    assertThat(DEFAULTS.requests().maxMutatingInFlight()).isEqualTo(200);
    assertThat(DEFAULTS.authentication().anonymous()).isTrue();
    assertThat(DEFAULTS.services().clusterIpRanges()).containsExactly(Cidr.parse("10.0.0.0/24"));
    assertThat(DEFAULTS.services().nodePorts()).isEqualTo(new PortRange(30000, 32767));
    assertThat(DEFAULTS.storage().mediaType()).isEqualTo(StorageOptions.MediaType.JSON);
    assertThat(DEFAULTS.storage().eventTtl()).isEqualTo(Duration.ofHours(1));
    assertThat(DEFAULTS.storage().compactionInterval()).isEqualTo(Duration.ofMinutes(5));
    assertThat(DEFAULTS.shutdown().delay()).isZero();
    assertThat(DEFAULTS.nodes().allowPrivileged()).isFalse();
    assertThat(DEFAULTS.nodes().kubeletPort()).isEqualTo(10250);
    assertThat(DEFAULTS.nodes().kubeletAddressTypes())
        .containsExactly("Hostname", "InternalDNS", "InternalIP", "ExternalDNS", "ExternalIP");
    assertThat(DEFAULTS.listen().http2Disabled()).isFalse();
    assertThat(DEFAULTS.log().verbosity()).isZero();
    assertThat(DEFAULTS.api().aggregator().clientCertificateFile()).isNull();
    assertThat(DEFAULTS.api().aggregator().endpointsOnly()).isFalse();
    assertThat(DEFAULTS.api().aggregator().rejectsRedirects()).isTrue();
  }

  @Test
  void whoMayDoWhatIsAskedUnlessSomebodySaysOtherwise() {
    assertThat(DEFAULTS.authorization().modes()).containsExactly(AuthorizerType.RBAC);
    assertThat(DEFAULTS.authorization().asksWho()).isTrue();
    assertThat(
            new AuthorizationOptions(List.of(AuthorizerType.RBAC, AuthorizerType.ALWAYS_ALLOW))
                .asksWho())
        .isFalse();
  }

  @Test
  void everySettingHasAFlagAndEveryRecordAHeading() {
    var names =
        Arrays.stream(ApiServerOptions.class.getRecordComponents())
            .map(RecordComponent::getType)
            .flatMap(ApiServerOptionsTest::flags)
            .toList();
    assertThat(names)
        .doesNotHaveDuplicates()
        .contains(
            "bind-address",
            "secure-port",
            "advertise-address",
            "tls-cert-file",
            "tls-private-key-file",
            "cert-dir",
            "client-ca-file",
            "token-auth-file",
            "service-cluster-ip-range",
            "service-account-issuer",
            "service-account-key-file",
            "service-account-signing-key-file",
            "authorization-mode",
            "storage-media-type",
            "encryption-provider-config",
            "encryption-provider-config-automatic-reload",
            "event-ttl",
            "request-timeout",
            "max-requests-inflight",
            "shutdown-delay-duration",
            "feature-gates",
            "runtime-config",
            "enable-admission-plugins",
            "default-not-ready-toleration-seconds",
            "default-unreachable-toleration-seconds",
            "allow-privileged",
            "disable-http2-serving",
            "kubelet-certificate-authority",
            "kubelet-client-certificate",
            "kubelet-client-key",
            "kubelet-preferred-address-types",
            "kubelet-port",
            "proxy-client-cert-file",
            "proxy-client-key-file",
            "enable-aggregator-routing",
            "aggregator-reject-forwarding-redirect",
            "v");
  }

  @Test
  void addressPairsNeedBothFamilies() {
    var v4 = InetAddress.ofLiteral("10.0.0.1");
    var v6 = InetAddress.ofLiteral("fd00::1");
    assertThat(new ListenOptions(List.of(v6, v4), 6443, List.of(v4, v6), null, 100).bindAddresses())
        .containsExactly(v6, v4);
    refuses(
        () ->
            new ListenOptions(
                List.of(v4, InetAddress.ofLiteral("10.0.0.2")), 6443, List.of(), null, 100),
        "--bind-address: a pair needs one IPv4 and one IPv6 address");
    refuses(
        () -> new ListenOptions(List.of(v4, v4), 6443, List.of(), null, 100),
        "--bind-address: 10.0.0.1 is given twice");
    refuses(
        () ->
            new ListenOptions(
                List.of(), 6443, List.of(v4, v6, InetAddress.ofLiteral("fd00::2")), null, 100),
        "--advertise-address: takes one address or a pair, not 3");
  }

  @Test
  void addressesThatNoServerCanHaveAreRefused() {
    for (var text : List.of("224.0.0.1", "ff02::1", "239.255.255.255")) {
      var address = InetAddress.ofLiteral(text);
      refuses(
          () -> new ListenOptions(List.of(), 6443, List.of(address), null, 100),
          "--advertise-address: " + text + " is a multicast address, and no server's own");
      refuses(
          () -> new ListenOptions(List.of(address), 6443, List.of(), null, 100),
          "--bind-address: " + text + " is a multicast address, and no server's own");
    }
    refuses(
        () ->
            new ListenOptions(
                List.of(), 6443, List.of(InetAddress.ofLiteral("255.255.255.255")), null, 100),
        "--advertise-address: 255.255.255.255 is the broadcast address, and no server's own");
  }

  @Test
  void messagesNameTheFlag() {
    refuses(
        () -> new ListenOptions(List.of(), 65536, List.of(), null, 100),
        "--secure-port: 65536 is not between 0 and 65535");
    refuses(
        () ->
            new ServingOptions(
                Path.of("a.crt"), null, Path.of("."), ServingOptions.Version.TLS_1_2, List.of()),
        "--tls-cert-file and --tls-private-key-file: give both or none");
    refuses(
        () -> new AggregatorOptions(Path.of("a.crt"), null, false, true),
        "--proxy-client-cert-file and --proxy-client-key-file: give both or none");
    refuses(
        () -> new AuthorizationOptions(List.of(AuthorizerType.RBAC, AuthorizerType.RBAC)),
        "--authorization-mode: a mode is named twice");
    refuses(
        () -> new AdmissionOptions(List.of("A"), List.of("A")),
        "--enable-admission-plugins and --disable-admission-plugins: both name A");
    refuses(
        () -> new ServiceOptions(List.of(Cidr.parse("10.0.0.0/30")), new PortRange(1, 2)),
        "--service-cluster-ip-range: 10.0.0.0/30 has fewer than 8 addresses");
    refuses(
        () ->
            new ServiceOptions(
                List.of(Cidr.parse("10.0.0.0/24"), Cidr.parse("10.1.0.0/24")), new PortRange(1, 2)),
        "--service-cluster-ip-range: a pair needs one IPv4 and one IPv6 range");
  }

  @Test
  void portRangesAreReadInTheirThreeForms() {
    assertThat(PortRange.parse("30000-32767")).isEqualTo(new PortRange(30000, 32767));
    assertThat(PortRange.parse("30000+10")).isEqualTo(new PortRange(30000, 30010));
    assertThat(PortRange.parse("80")).isEqualTo(new PortRange(80, 80));
    refuses(() -> PortRange.parse("9-8"), "9-8 is not a range of ports");
    refuses(() -> PortRange.parse("x"), "x is not a range of ports");
  }

  private static void refuses(ThrowableAssert.ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
  }

  /** The flags of a record with a heading, and of those in it. */
  private static Stream<String> flags(Class<?> type) {
    assertThat(type).hasAnnotation(FlagGroup.class);
    return Arrays.stream(type.getRecordComponents())
        .flatMap(
            component -> {
              var flag = component.getAnnotation(Flag.class);
              return flag == null ? flags(component.getType()) : Stream.of(flag.name());
            });
  }
}
