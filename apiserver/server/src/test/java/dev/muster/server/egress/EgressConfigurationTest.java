package dev.muster.server.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EgressConfigurationTest {
  @TempDir private Path folder;

  private static EgressConfiguration read(String selections) throws Exception {
    return EgressConfiguration.of(
        ("apiVersion: apiserver.k8s.io/v1beta1\nkind: EgressSelectorConfiguration\n"
                + "egressSelections: "
                + selections)
            .getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void readsEveryKindOfConnection() throws Exception {
    var file = Files.writeString(folder.resolve("f"), "");
    assertThat(
            read("""
            - {name: Cluster, connection: {proxyProtocol: GRPC,
               transport: {uds: {udsName: /run/k.sock}}}}
            - {name: controlplane, connection: {proxyProtocol: HTTPConnect,
               transport: {tcp: {url: 'https://proxy:8131',
               tlsConfig: {caBundle: F, clientCert: F, clientKey: F,
               tlsServerName: other}}}}}
            - {name: etcd, connection: {proxyProtocol: Direct}}
            """
                    .replace("F", file.toString())
                    .indent(2)
                    .transform(text -> "\n" + text))
                .selections())
        .isEqualTo(
            Map.of(
                EgressType.CLUSTER,
                new EgressConnection.Grpc(Path.of("/run/k.sock")),
                EgressType.CONTROLPLANE,
                new EgressConnection.HttpConnect(
                    new EgressConnection.Tcp(
                        "proxy", 8131, new EgressConnection.TlsFiles(file, file, file, "other"))),
                EgressType.ETCD,
                new EgressConnection.Direct()));
    assertThat(EgressConfiguration.read(null).selections()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          [{name: x, connection: {proxyProtocol: Direct}}] | service.connection: Unsupported value: "x": supported values: "cluster", "controlplane", "etcd"
          [{name: etcd, connection: {proxyProtocol: direct}}] | service.connection.protocol: Unsupported value: "direct": supported values: "Direct", "GRPC", "HTTPConnect"
          [{name: etcd, connection: {proxyProtocol: Direct}}, {name: ETCD, connection: {proxyProtocol: Direct}}] | service.connection[1]: Duplicate value: "etcd"
          [{name: etcd, connection: {proxyProtocol: Direct, transport: {}}}] | service.connection.transport: Invalid value: "direct": config must be absent for direct connect
          [{name: etcd, connection: {proxyProtocol: HTTPConnect}}] | service.connection.transport: Required value: transport must be set for HTTPConnect
          [{name: etcd, connection: {proxyProtocol: HTTPConnect, transport: {}}}] | service.connection.tcp: Required value: One of TCP or UDS must be set
          [{name: etcd, connection: {proxyProtocol: HTTPConnect, transport: {tcp: {url: 'ftp://x'}}}}] | service.connection.url: Invalid value: "ftp://x": supported connection protocols are http:// and https://
          [{name: etcd, connection: {proxyProtocol: HTTPConnect, transport: {tcp: {url: 'https://x'}}}}] | service.connection.tlsConfig: Required value: TLSConfig must be present when using HTTPS
          [{name: etcd, connection: {proxyProtocol: HTTPConnect, transport: {tcp: {url: 'https://x', tlsConfig: {}}}}}] | service.connection.tlsConfig.clientCert: Invalid value: "nil": Using TLS requires clientCert
          [{name: etcd, connection: {proxyProtocol: HTTPConnect, transport: {uds: {}}}}] | service.connection.udsName: Invalid value: "nil": must be present for UDS connections
          [{name: etcd, connection: {proxyProtocol: GRPC, transport: {tcp: {url: 'http://x'}}}}] | service.connection.uds: Required value: UDS must be set with GRPC
          [{name: etcd, connection: {proxyProtocol: Direct, x: y}}] | strict decoding error: unknown field "connection.x"
          """)
  void refusesWhatKubeApiserverRefuses(String selections, String problem) {
    assertThatThrownBy(() -> read(selections))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--egress-selector-config-file: " + problem);
  }

  @Test
  void knowsTheControlPlaneByItsFormerNameAsWell() throws Exception {
    assertThat(read("[{name: master, connection: {proxyProtocol: Direct}}]").selections())
        .containsOnlyKeys(EgressType.CONTROLPLANE);
  }

  @Test
  void refusesKeysThatStandThereTwice() {
    assertThatThrownBy(() -> read("[]\negressSelections: []"))
        .hasMessageContaining("key \"egressSelections\" already set in map");
  }

  @Test
  void refusesOtherKinds() {
    assertThatThrownBy(
            () ->
                EgressConfiguration.of(
                    "apiVersion: v1\nkind: Pod\n".getBytes(StandardCharsets.UTF_8)))
        .hasMessageContaining("no kind \"Pod\" is registered for version \"v1\"");
    assertThatThrownBy(() -> EgressConfiguration.read(folder.resolve("none")))
        .hasMessageContaining("unable to read egress selector configuration");
  }
}
