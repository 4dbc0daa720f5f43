package dev.muster.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.testing.EtcdCluster;
import dev.muster.testing.NeedsProgram;
import dev.muster.testing.TestCertificates;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What cannot work ends at once, with one line that names the reason, and exit code 1. */
@Tag("slow")
class RefusalsTest {
  @TempDir private Path folder;

  @Test
  @NeedsProgram(value = "etcd", from = "3.4")
  void anApiServerNamesThePortThatIsTaken() throws Exception {
    var keys = new TestCertificates(folder).issue("keys");
    try (var etcd = EtcdCluster.start(folder.resolve("etcd"), 1);
        var taken = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"));
        var server =
            Processes.muster(
                "apiserver",
                "--etcd-servers=" + etcd.endpoints()[0],
                "--bind-address=127.0.0.1",
                "--secure-port=" + taken.getLocalPort(),
                "--cert-dir=" + folder.resolve("certificates"),
                "--service-account-issuer=https://kubernetes.default.svc",
                "--service-account-signing-key-file=" + keys.key(),
                "--service-account-key-file=" + keys.certificate())) {
      assertThat(server.waitFor()).isEqualTo(1);
      assertThat(server.output().getLast())
          .isEqualTo(
              "muster apiserver: cannot listen on 127.0.0.1:%d: address already in use"
                  .formatted(taken.getLocalPort()));
    }
  }

  @Test
  void unknownFlagsAndBadValuesAreNamed() throws Exception {
    refuses("muster apiserver: unknown flag: --nope", "apiserver", "--nope");
    refuses(
        "muster apiserver: --secure-port: \"many\" is not a whole number",
        "apiserver",
        "--secure-port=many");
    refuses(
        "muster controller-manager: --kubeconfig: /nowhere does not exist",
        "controller-manager",
        "--kubeconfig=/nowhere");
    refuses("muster controller-manager: unknown flag: --nope", "controller-manager", "--nope");
  }

  private static void refuses(String message, String... arguments) throws InterruptedException {
    try (var muster = Processes.muster(arguments)) {
      assertThat(muster.waitFor()).isEqualTo(1);
      assertThat(new ArrayList<>(muster.output())).containsExactly(message);
    }
  }
}
