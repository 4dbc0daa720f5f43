package dev.muster.cli;

import static dev.muster.cli.FlagReading.accepted;
import static dev.muster.cli.FlagReading.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.address.Cidr;
import dev.muster.server.options.ApiServerOptions;
import dev.muster.server.options.ServiceOptions.PortRange;
import dev.muster.server.options.ServingOptions.Version;
import dev.muster.server.options.StorageOptions.MediaType;
import dev.muster.server.options.tls.SniCertKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every flag of kube-apiserver takes the texts that it takes there, and no others. */
class FlagFormsTest {
  private static final Map<String, String> KINDS = kinds();

  @Test
  void everyFlagOfKubeApiServerIsKnown() {
    for (var flag : KINDS.keySet()) {
      if (!isSupported(flag)) {
        assertThat(FlagReading.of("--" + flag + "=x"))
            .isEqualTo(
                new FlagReading.Refused(
                    "--" + flag + ": a flag of kube-apiserver that Muster does not support"));
      }
    }
    assertThat(KINDS).hasSizeGreaterThan(150);
  }

  @ParameterizedTest
  @MethodSource("booleans")
  void readsBooleans(String flag) {
    allMean("--" + flag, texts(flag, "true", "True", "TRUE", "t", "T", "1"));
    allMean("--" + flag + "=false", texts(flag, "False", "FALSE", "f", "F", "0"));
    noneIsTaken(flag, "", "yes", "tRUE", "2", " true");
    assertThat(message("--" + flag, "false")).isEqualTo("unexpected argument \"false\"");
  }

  @ParameterizedTest
  @MethodSource("integers")
  void readsIntegers(String flag) {
    allMean("--" + flag + "=16", texts(flag, "0x10", "0X10", "0b10000", "0o20", "020", "1_6"));
    allMean("--" + flag + "=16", List.of(List.of("--" + flag, "16")));
    noneIsTaken(
        flag,
        "",
        "x",
        "#10",
        "1__6",
        "_16",
        "16_",
        "0x",
        "0b2",
        "16.0",
        " 16",
        "9223372036854775808");
  }

  @ParameterizedTest
  @MethodSource("durations")
  void readsDurations(String flag) {
    allMean("--" + flag + "=90m", texts(flag, "1h30m", "5400s", "1.5h", "+90m", "0h5400000ms"));
    allMean("--" + flag + "=90m", List.of(List.of("--" + flag, "90m")));
    noneIsTaken(flag, "", "90", "1d", "1h 30m", "h", "1,5h");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "0.001", ".001", "1e-3", "1E-3", "+0.02"})
  void readsChances(String text) {
    assertThat(FlagReading.of("--goaway-chance=" + text)).isInstanceOf(FlagReading.Accepted.class);
  }

  @Test
  void refusesChancesThatAreNone() {
    noneIsTaken("goaway-chance", "", "x", "0.5", "-0.001", "0.001d", "NaN");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-v2", "-v=2", "-v 2", "--v=2", "--v 2"})
  void readsTheVerbosityInItsShortForm(String argument) {
    assertThat(accepted(argument.split(" ")).server().log().verbosity()).isEqualTo(2);
  }

  @Test
  void readsListsWithCommasAndQuotes() {
    assertThat(
            accepted("--api-audiences=a,\"b,c\"", "--api-audiences", "d \"e\"".replace("\"", ""))
                .server()
                .authentication()
                .audiences())
        .containsExactly("a", "b,c", "d e");
    assertThat(accepted("--api-audiences=").server().authentication().audiences()).isEmpty();
    assertThat(message("--api-audiences=a\"b"))
        .isEqualTo("--api-audiences: 'a\"b' has a quote where none may stand");
    assertThat(message("--authorization-mode=Node, RBAC"))
        .startsWith("--authorization-mode: \" RBAC\" is not one of");
  }

  @Test
  void issuersAndKeyFilesAreNotSeparatedByCommas() {
    var accounts =
        accepted(
                "--service-account-issuer=https://a,b",
                "--service-account-issuer=https://c",
                "--service-account-key-file=/keys/a,b.pem")
            .server()
            .serviceAccounts();
    assertThat(accounts.issuers()).containsExactly("https://a,b", "https://c");
    assertThat(accounts.keyFiles()).containsExactly(Path.of("/keys/a,b.pem"));
    assertThat(message("--service-account-issuer=")).contains("must not be empty");
    assertThat(message("--service-account-key-file=")).contains("is not a file");
  }

  @Test
  void emptyTextsMeanTheDefault() {
    var server =
        accepted(
                "--storage-media-type=",
                "--tls-min-version=",
                "--service-cluster-ip-range=",
                "--service-node-port-range=",
                "--http2-max-streams-per-connection=0")
            .server();
    assertThat(server).isEqualTo(ApiServerOptions.defaults());
    assertThat(message("--cert-dir=")).isEqualTo("--cert-dir: must not be empty");
  }

  @Test
  void theLastRangeCounts() {
    assertThat(
            accepted(
                    "--service-cluster-ip-range=10.0.0.0/24,fd00::/112",
                    "--service-cluster-ip-range=10.1.0.0/24")
                .server()
                .services()
                .clusterIpRanges())
        .containsExactly(Cidr.parse("10.1.0.0/24"));
    assertThat(message("--service-cluster-ip-range=10.0.0.0/24,"))
        .startsWith("--service-cluster-ip-range: invalid CIDR address:");
  }

  @ParameterizedTest
  @CsvSource({"30000-30010,30000-30010", "30000+10,30000-30010", "30000,30000-30000"})
  void readsRangesOfPorts(String text, String range) {
    assertThat(accepted("--service-node-port-range=" + text).server().services().nodePorts())
        .isEqualTo(PortRange.parse(range));
  }

  @Test
  void objectsCanBeKeptAsYaml() {
    assertThat(accepted("--storage-media-type=application/yaml").server().storage().mediaType())
        .isEqualTo(MediaType.YAML);
  }

  @Test
  void knowsEveryVersionOfTls() {
    assertThat(accepted("--tls-min-version=VersionTLS10").server().tls().minimumVersion())
        .isEqualTo(Version.TLS_1_0);
    assertThat(Version.TLS_1_1.protocolsFromHere())
        .containsExactly("TLSv1.3", "TLSv1.2", "TLSv1.1");
    assertThat(message("--tls-min-version=VersionTLS14")).contains("is not one of");
  }

  @Test
  void knowsTheNamesOfCipherSuites() {
    assertThat(
            accepted(
                    "--tls-cipher-suites=TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305,TLS_AES_128_GCM_SHA256")
                .server()
                .tls()
                .cipherSuites())
        .containsExactly("TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256", "TLS_AES_128_GCM_SHA256");
    assertThat(message("--tls-cipher-suites=TLS_MADE_UP"))
        .isEqualTo("--tls-cipher-suites: Cipher suite TLS_MADE_UP not supported or doesn't exist");
  }

  @Test
  void knowsTheNumbersOfKeyExchanges() {
    var tls = accepted("--tls-curve-preferences=25,0x11ec", "--tls-curve-preferences=29");
    assertThat(tls.server().tls().curvePreferences()).containsExactly(25, 4588, 29);
    assertThat(tls.server().tls().groups())
        .containsExactly("X25519MLKEM768", "x25519", "secp521r1");
    assertThat(message("--tls-curve-preferences=0"))
        .isEqualTo("--tls-curve-preferences: curve preference 0 is out of range (must be 1-65535)");
    assertThat(message("--tls-curve-preferences=23,23"))
        .isEqualTo("--tls-curve-preferences: duplicate curve preference 23");
    assertThat(message("--tls-curve-preferences=4587"))
        .isEqualTo(
            "--tls-curve-preferences: curve preference 4587 is not supported by the TLS library");
    assertThat(message("--tls-curve-preferences=X25519")).contains("is not a whole number");
    assertThat(message("--tls-curve-preferences=")).contains("is not a whole number");
  }

  @Test
  void readsCertificatesForServerNames() {
    assertThat(
            accepted(
                    "--tls-sni-cert-key=a.crt, a.key",
                    "--tls-sni-cert-key=foo.crt,foo.key:*.foo.com, foo.com")
                .server()
                .tls()
                .sniCertKeys())
        .containsExactly(
            new SniCertKey(Path.of("a.crt"), Path.of("a.key"), List.of()),
            new SniCertKey(
                Path.of("foo.crt"), Path.of("foo.key"), List.of("*.foo.com", "foo.com")));
    assertThat(message("--tls-sni-cert-key=a.crt"))
        .isEqualTo("--tls-sni-cert-key: expected comma separated certificate and key file paths");
    assertThat(message("--tls-sni-cert-key=a,b,c")).contains("expected comma separated");
    assertThat(message("--tls-sni-cert-key=")).contains("expected comma separated");
    assertThat(message("--tls-sni-cert-key=a,b:"))
        .isEqualTo("--tls-sni-cert-key: empty names list is not allowed");
  }

  @Test
  void anEtcdServerNeedsNoScheme() {
    assertThat(accepted("--etcd-servers=127.0.0.1:2379,etcd:2379").etcd().servers())
        .containsExactly("http://127.0.0.1:2379", "http://etcd:2379");
    assertThat(accepted("--etcd-servers=[::1]:2379", "--etcd-cafile=/pki/ca.crt").etcd().servers())
        .containsExactly("https://[::1]:2379");
    assertThat(message("--etcd-servers=ftp://a")).contains("is not an http or https URL");
  }

  @Test
  void gatesMayNameTheirComponent() {
    var plain = accepted("--feature-gates=WatchList=T,DualStackAPIServer=0");
    assertThat(plain.server().api().featureGates())
        .isEqualTo(Map.of("WatchList", true, "DualStackAPIServer", false));
    assertThat(accepted("--feature-gates=kube:WatchList=true,kube: DualStackAPIServer = false"))
        .isEqualTo(plain);
    assertThat(message("--feature-gates=wardle:A=true"))
        .isEqualTo("--feature-gates: component not registered: wardle");
    assertThat(message("--feature-gates=kube:WatchList=true,DualStackAPIServer=true"))
        .isEqualTo("--feature-gates: give all gates the prefix kube: or none of them");
    assertThat(message("--feature-gates=WatchList"))
        .isEqualTo("--feature-gates: missing bool value for WatchList");
  }

  @Test
  void lockedGatesStayAsTheyAre() {
    assertThat(FlagReading.of("--feature-gates=SidecarContainers=true,GitRepoVolumeDriver=false"))
        .isInstanceOf(FlagReading.Accepted.class);
    assertThat(message("--feature-gates=SidecarContainers=false"))
        .isEqualTo(
            "--feature-gates: cannot set feature gate SidecarContainers to false, feature is locked"
                + " to true");
    assertThat(message("--feature-gates=GitRepoVolumeDriver=true"))
        .isEqualTo(
            "--feature-gates: cannot set feature gate GitRepoVolumeDriver to true, feature is"
                + " locked to false");
  }

  @Test
  void keysOfTheRuntimeConfigMayStandAlone() {
    assertThat(
            accepted("--runtime-config=api/v1,apps/v1=F", "--runtime-config=api/all=true")
                .server()
                .api()
                .runtimeConfig())
        .isEqualTo(Map.of("api/v1", true, "apps/v1", false, "api/all", true));
    assertThat(message("--runtime-config=api/all")).endsWith("invalid value api/all=");
    assertThat(message("--runtime-config=api/beta=1")).endsWith("invalid value api/beta=1");
  }

  @Test
  void whatFollowsTwoDashesIsNoFlag() {
    assertThat(FlagReading.of("--", "--secure-port=1")).isInstanceOf(FlagReading.Refused.class);
    assertThat(FlagReading.of("--secure_port=1")).isEqualTo(FlagReading.of("--secure-port=1"));
  }

  static Stream<String> booleans() {
    // This one is refused without the file that it is about.
    return supported("bool")
        .filter(flag -> !flag.equals("encryption-provider-config-automatic-reload"));
  }

  static Stream<String> integers() {
    return Stream.concat(supported("int"), supported("uint"));
  }

  static Stream<String> durations() {
    return supported("duration");
  }

  private static Stream<String> supported(String kind) {
    return KINDS.entrySet().stream()
        .filter(entry -> entry.getValue().equals(kind) && isSupported(entry.getKey()))
        .map(Map.Entry::getKey);
  }

  private static boolean isSupported(String flag) {
    return ApiServerFlags.definitions().stream().anyMatch(known -> known.name().equals(flag));
  }

  private static List<List<String>> texts(String flag, String... texts) {
    return Stream.of(texts).map(text -> List.of("--" + flag + "=" + text)).toList();
  }

  private static void allMean(String argument, List<List<String>> others) {
    var meant = accepted(argument);
    for (var other : others) {
      assertThat(FlagReading.of(other.toArray(String[]::new)))
          .as(String.join(" ", other))
          .isEqualTo(new FlagReading.Accepted(meant));
    }
  }

  private static void noneIsTaken(String flag, String... texts) {
    for (var text : texts) {
      assertThat(message("--" + flag + "=" + text)).as(text).startsWith("--" + flag + ": ");
    }
  }

  private static Map<String, String> kinds() {
    try (var file =
        Objects.requireNonNull(
            FlagFormsTest.class.getResourceAsStream("kube-apiserver-flags.txt"))) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split(" "))
          .collect(
              Collectors.toMap(words -> words[0], words -> words[1], (a, b) -> a, TreeMap::new));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
