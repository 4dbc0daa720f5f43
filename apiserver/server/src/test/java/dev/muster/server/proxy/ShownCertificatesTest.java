package dev.muster.server.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.pki.Authority;
import dev.muster.pki.CertificateNames;
import dev.muster.pki.Pem;
import dev.muster.registry.connect.Destination.Backend;
import dev.muster.server.options.AggregatorOptions;
import dev.muster.server.options.NodeOptions;
import dev.muster.testing.TestTls;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What kubelets and API servers behind this one are shown, and whom we believe to be them. */
class ShownCertificatesTest {
  private static final Duration DAY = Duration.ofDays(1);

  @TempDir private Path folder;
  private Authority authority = authority();

  private static Authority authority() {
    return Authority.create("ca", Instant.now(), DAY);
  }

  private Path file(String name) {
    return folder.resolve(name);
  }

  /** Writes a new certificate of ours, and the authority that vouches for the other side. */
  private void renew(String name) throws IOException {
    var shown = authority.component(name, List.of(), Instant.now(), DAY);
    Files.writeString(file("us.crt"), Pem.of(shown.chain()));
    Files.writeString(file("us.key"), Pem.of(shown.key()));
    Files.writeString(file("ca.crt"), Pem.of(List.of(authority.certificate())));
  }

  /** The name in the certificate that a real TLS server of the authority gets to see. */
  private String shown(Callable<SslContext> client) throws Exception {
    var names =
        CertificateNames.of(List.of("localhost"), List.of(InetAddress.getLoopbackAddress()));
    var identity = authority.server("server", names, Instant.now(), DAY);
    var server =
        TestTls.showing(identity.key(), identity.chain(), List.of(authority.certificate()));
    try (var listener =
            (SSLServerSocket)
                server
                    .getServerSocketFactory()
                    .createServerSocket(0, 1, InetAddress.getLoopbackAddress());
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      listener.setNeedClientAuth(true);
      var seen =
          threads.submit(
              () -> {
                try (var socket = (SSLSocket) listener.accept()) {
                  socket.setSoTimeout(60_000);
                  socket.startHandshake();
                  socket.getOutputStream().write(1);
                  return ((X509Certificate) socket.getSession().getPeerCertificates()[0])
                      .getSubjectX500Principal()
                      .getName();
                }
              });
      var context = (JdkSslContext) client.call();
      try (var socket =
          (SSLSocket)
              context
                  .context()
                  .getSocketFactory()
                  .createSocket(InetAddress.getLoopbackAddress(), listener.getLocalPort())) {
        socket.setSoTimeout(60_000);
        socket.startHandshake();
        assertThat(socket.getInputStream().read()).isEqualTo(1);
      }
      return seen.get();
    }
  }

  @Test
  void kubeletsSeeTheRenewedCertificateAndAreBelievedUnderTheRenewedAuthority() throws Exception {
    renew("one");
    var tls =
        new BackendTls(
            NodeOptions.defaults()
                .withKubeletFiles(file("ca.crt"), file("us.crt"), file("us.key")));
    assertThat(shown(() -> tls.of(Backend.KUBELET))).isEqualTo("CN=one");
    authority = authority();
    renew("two");
    assertThat(shown(() -> tls.of(Backend.KUBELET))).isEqualTo("CN=two");
    Files.writeString(file("us.key"), "half a file");
    assertThat(shown(() -> tls.of(Backend.KUBELET))).isEqualTo("CN=two");
  }

  @Test
  void apiServersBehindThisOneSeeTheRenewedCertificate() throws Exception {
    renew("one");
    var trust =
        new BackendTrust(AggregatorOptions.defaults().showing(file("us.crt"), file("us.key")));
    assertThat(shown(() -> trust.of(Files.readString(file("ca.crt")), false))).isEqualTo("CN=one");
    authority = authority();
    renew("two");
    assertThat(shown(() -> trust.of(Files.readString(file("ca.crt")), false))).isEqualTo("CN=two");
    Files.writeString(file("us.key"), "half a file");
    assertThat(shown(() -> trust.of(Files.readString(file("ca.crt")), false))).isEqualTo("CN=two");
  }
}
