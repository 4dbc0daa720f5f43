package dev.muster.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.http.listen.HttpServerOptions;
import dev.muster.http.tls.NamedMaterial;
import dev.muster.http.tls.TlsMaterial;
import dev.muster.http.tls.TlsOptions;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLSocket;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which certificate a real TLS client is shown. */
@Tag("slow")
class SniTest {
  private static final TestAuthority CA = TestServer.AUTHORITY;
  private static final HttpHandler HELLO =
      exchange ->
          exchange.respond(
              ServerResponse.of(
                  200,
                  "text/plain",
                  ("hello " + exchange.clientCertificates().size())
                      .getBytes(StandardCharsets.UTF_8)));

  private static TestServer serve(List<NamedMaterial> named) {
    return serve(new AtomicReference<>(named));
  }

  private static TestServer serve(AtomicReference<List<NamedMaterial>> named) {
    return TestServer.start(
        HELLO,
        options ->
            HttpServerOptions.of(
                options.binds(),
                TlsOptions.of(CA.issueFor("usual", "localhost", "kubernetes.default"))
                    .withNamed(() -> Objects.requireNonNull(named.get()))));
  }

  private static NamedMaterial named(TlsMaterial material, String... names) {
    return new NamedMaterial(material, List.of(names));
  }

  /** The common name of the certificate that a client gets which asks for that name. */
  private static String shown(TestServer server, String name) throws Exception {
    try (var socket =
        (SSLSocket)
            CA.client()
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), server.port())) {
      var parameters = socket.getSSLParameters();
      parameters.setServerNames(
          name.isEmpty() ? List.<SNIServerName>of() : List.of(new SNIHostName(name)));
      socket.setSSLParameters(parameters);
      socket.setSoTimeout(60_000);
      socket.startHandshake();
      return ((X509Certificate) socket.getSession().getPeerCertificates()[0])
          .getSubjectX500Principal()
          .getName()
          .substring("CN=".length());
    }
  }

  @Test
  void namesThatAreGivenChooseTheCertificate() throws Exception {
    try (var server =
        serve(
            List.of(
                named(CA.issueFor("foo", "inside.example"), "*.foo.com", "foo.com"),
                named(CA.issueFor("bar"), "a.foo.com")))) {
      assertThat(shown(server, "foo.com")).isEqualTo("foo");
      assertThat(shown(server, "FOO.com")).isEqualTo("foo");
      assertThat(shown(server, "b.foo.com")).isEqualTo("foo");
      assertThat(shown(server, "a.foo.com")).as("whole names win").isEqualTo("bar");
      assertThat(shown(server, "a.b.foo.com")).as("one label only").isEqualTo("usual");
      assertThat(shown(server, "nobody.example")).isEqualTo("usual");
      assertThat(shown(server, "")).isEqualTo("usual");
      assertThat(shown(server, "inside.example")).as("the one that fits").isEqualTo("foo");
    }
  }

  @Test
  void namesComeFromTheCertificateWhenNoneAreGiven() throws Exception {
    try (var server =
        serve(
            List.of(
                named(CA.issueFor("first.example", "*.wild.example", "both.example")),
                named(CA.issueFor("second.example", "both.example")),
                named(CA.issueFor("third"), "kubernetes.default", "first.example")))) {
      assertThat(shown(server, "second.example")).isEqualTo("second.example");
      assertThat(shown(server, "x.wild.example")).isEqualTo("first.example");
      assertThat(shown(server, "both.example")).as("the earlier").isEqualTo("first.example");
      assertThat(shown(server, "first.example")).as("given names win").isEqualTo("third");
      assertThat(shown(server, "kubernetes.default")).isEqualTo("third");
      assertThat(shown(server, "localhost")).isEqualTo("usual");
    }
  }

  @Test
  void anAddressIsForClientsThatAskForNoName() throws Exception {
    try (var server = serve(List.of(named(CA.issueFor("address"), "127.0.0.1")))) {
      assertThat(shown(server, "")).isEqualTo("address");
      assertThat(shown(server, "localhost")).isEqualTo("usual");
    }
  }

  @Test
  void newConnectionsSeeWhatHasChangedAndUnusableOnesChangeNothing() throws Exception {
    var one = CA.issueFor("one", "x.example");
    var source = new AtomicReference<>(List.of(named(one)));
    try (var server = serve(source)) {
      assertThat(shown(server, "x.example")).isEqualTo("one");
      var two = CA.issueFor("two", "x.example", "y.example");
      source.set(List.of(named(two)));
      assertThat(shown(server, "x.example")).isEqualTo("two");
      assertThat(shown(server, "y.example")).isEqualTo("two");
      source.set(List.of(named(new TlsMaterial(two.chain(), one.key()))));
      assertThat(shown(server, "y.example")).isEqualTo("two");
      source.set(List.of());
      assertThat(shown(server, "y.example")).isEqualTo("usual");
    }
  }

  @Test
  void requestsAndClientCertificatesPassAsUsual() throws Exception {
    try (var server = serve(List.of(named(CA.issueFor("x", "x.example"))))) {
      for (var version : HttpClient.Version.values()) {
        try (var client = TestServer.client(version, CA.client(CA.issue("alice")))) {
          var uri = URI.create("https://localhost:" + server.port() + "/");
          var answer = client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
          assertThat(answer.body()).isEqualTo("hello 2");
          assertThat(answer.version()).isEqualTo(version);
        }
      }
    }
  }

  @Test
  void whoSaysNoNameForLongOrTalksOtherwiseIsClosed() throws Exception {
    try (var server = serve(List.of(named(CA.issueFor("x", "x.example"))));
        var plain = new Socket(InetAddress.getLoopbackAddress(), server.port());
        var huge = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      plain.setSoTimeout(60_000);
      plain.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(plain.getInputStream().readAllBytes().length).isLessThan(100);
      huge.setSoTimeout(60_000);
      // A first record of a hello that claims to be 100 kB long.
      huge.getOutputStream()
          .write(new byte[] {22, 3, 1, 0, 8, 1, 1, (byte) 0x86, (byte) 0xa0, 3, 3, 0, 0});
      assertThat(huge.getInputStream().readAllBytes().length).isLessThan(100);
      Awaitility.await().until(() -> server.server.counters().tlsErrors.sum() == 2);
    }
  }
}
