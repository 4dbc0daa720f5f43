package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.cli.command.CommandFailure;
import dev.muster.testing.ConnectProxy;
import dev.muster.testing.EtcdCluster;
import dev.muster.testing.NeedsProgram;
import dev.muster.testing.StoreFixture;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real etcd that is reached through a proxy. */
@Tag("slow")
class EtcdEgressTest {
  @TempDir private Path folder;

  private Path selecting(String connection) throws Exception {
    return Files.writeString(
        folder.resolve("egress.yaml"),
        """
        apiVersion: apiserver.k8s.io/v1beta1
        kind: EgressSelectorConfiguration
        egressSelections:
        - {name: etcd, connection: %s}
        """
            .formatted(connection));
  }

  @Test
  @NeedsProgram(value = "etcd", from = "3.4")
  void theStoreIsReachedThroughTheProxy() throws Exception {
    var socket = folder.resolve("s");
    var file =
        selecting("{proxyProtocol: HTTPConnect, transport: {uds: {udsName: '" + socket + "'}}}");
    try (var etcd = EtcdCluster.start(folder, 1);
        var proxy = ConnectProxy.onSocket(socket);
        var store =
            EtcdFlags.defaults()
                .withServers(List.of(etcd.endpoints()))
                .open(Duration.ZERO, EtcdEgress.of(file))) {
      assertThat(StoreFixture.await(store.readIndex())).isPositive();
      assertThat(proxy.asked())
          .isNotEmpty()
          .containsOnly(etcd.member(0).endpoint().replace("http://", ""));
    }
  }

  @Test
  void whatIsDirectNeedsNothingAndWhatIsWrongIsSaid() throws Exception {
    assertThat(EtcdEgress.of(null)).isEmpty();
    assertThat(EtcdEgress.of(selecting("{proxyProtocol: Direct}"))).isEmpty();
    var wrong = selecting("{proxyProtocol: SOCKS}");
    assertThatThrownBy(() -> EtcdEgress.of(wrong))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("Unsupported value: \"SOCKS\"");
  }
}
