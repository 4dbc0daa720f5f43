package dev.muster.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.http.listen.HttpServerOptions;
import dev.muster.http.tls.TlsOptions;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.OpenSslContextOption;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which key exchanges and cipher suites real TLS clients can agree on with the server. */
@Tag("slow")
class KeyExchangeTest {
  private static final TlsOptions USUAL = TlsOptions.of(TestServer.AUTHORITY.issue("localhost"));

  private static TestServer serve(TlsOptions tls) {
    return TestServer.start(_ -> {}, options -> HttpServerOptions.of(options.binds(), tls));
  }

  private static SSLSocket jdkClient(TestServer server) throws Exception {
    var socket =
        (SSLSocket)
            TestServer.AUTHORITY
                .client()
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), server.port());
    socket.setSoTimeout(60_000);
    return socket;
  }

  private static void agreeOn(TestServer server, String group) throws Exception {
    try (var socket = jdkClient(server)) {
      var parameters = socket.getSSLParameters();
      parameters.setNamedGroups(new String[] {group});
      socket.setSSLParameters(parameters);
      socket.startHandshake();
    }
  }

  /** The JDK has no hybrid key exchange; the client here is BoringSSL with nothing else. */
  private static void agreeOnHybrid(TestServer server) throws Exception {
    var context =
        SslContextBuilder.forClient()
            .sslProvider(SslProvider.OPENSSL)
            .protocols("TLSv1.3")
            .endpointIdentificationAlgorithm(null)
            .trustManager(TestServer.AUTHORITY.certificate)
            .option(OpenSslContextOption.GROUPS, new String[] {"X25519MLKEM768"})
            .build();
    new EngineClient(context.newEngine(ByteBufAllocator.DEFAULT)).handshake(server.port());
  }

  @ParameterizedTest
  @CsvSource({"x25519", "secp256r1", "secp384r1", "secp521r1"})
  void offersEveryCurveUnlessToldOtherwise(String group) throws Exception {
    try (var server = serve(USUAL)) {
      agreeOn(server, group);
    }
  }

  @Test
  void offersThePostQuantumKeyExchangeUnlessToldOtherwise() throws Exception {
    Assumptions.assumeTrue(OpenSsl.isAvailable());
    try (var server = serve(USUAL)) {
      agreeOnHybrid(server);
    }
    try (var server = serve(USUAL.withGroups(List.of("X25519MLKEM768", "secp256r1")))) {
      agreeOnHybrid(server);
    }
    try (var server = serve(USUAL.withGroups(List.of("secp256r1")))) {
      assertThatThrownBy(() -> agreeOnHybrid(server)).isInstanceOf(SSLException.class);
    }
  }

  @Test
  void agreesOnChosenCurvesOnly() throws Exception {
    try (var server = serve(USUAL.withGroups(List.of("secp384r1", "secp521r1")))) {
      agreeOn(server, "secp384r1");
      agreeOn(server, "secp521r1");
      assertThatThrownBy(() -> agreeOn(server, "x25519")).isInstanceOf(SSLException.class);
      assertThatThrownBy(() -> agreeOn(server, "secp256r1")).isInstanceOf(SSLException.class);
    }
  }

  private static String suite(TestServer server, String protocol) throws Exception {
    try (var socket = jdkClient(server)) {
      socket.setEnabledProtocols(new String[] {protocol});
      socket.startHandshake();
      return socket.getSession().getCipherSuite();
    }
  }

  @Test
  void cipherSuitesAreThoseOfTls12AndLeaveTls13Alone() throws Exception {
    var one = "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384";
    try (var server = serve(USUAL.withCiphers(List.of(one)))) {
      assertThat(suite(server, "TLSv1.2")).isEqualTo(one);
      assertThat(suite(server, "TLSv1.3")).startsWith("TLS_AES_");
    }
    try (var server = serve(USUAL.withCiphers(List.of("TLS_AES_128_GCM_SHA256")))) {
      assertThat(suite(server, "TLSv1.3")).startsWith("TLS_AES_");
      assertThatThrownBy(() -> suite(server, "TLSv1.2")).isInstanceOf(SSLException.class);
    }
  }

  /** What BoringSSL, as a client with that suite of TLS 1.2 and nothing else, agrees on. */
  private static boolean agreeOnSuite(TestServer server, String suite) throws Exception {
    var context =
        SslContextBuilder.forClient()
            .sslProvider(SslProvider.OPENSSL)
            .protocols("TLSv1.2")
            .ciphers(List.of(suite))
            .endpointIdentificationAlgorithm(null)
            .trustManager(TestServer.AUTHORITY.certificate)
            .build();
    var loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    try {
      var tls = context.newHandler(ByteBufAllocator.DEFAULT);
      var connection =
          new Bootstrap()
              .group(loop)
              .channel(NioSocketChannel.class)
              .handler(tls)
              .connect(InetAddress.getLoopbackAddress(), server.port())
              .sync()
              .channel();
      boolean agreed = tls.handshakeFuture().await().isSuccess();
      connection.close().sync();
      return agreed;
    } finally {
      loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"RSA", "ECDSA"})
  void usualSuitesOfTls12AreThoseOfGo(String key) throws Exception {
    Assumptions.assumeTrue(OpenSsl.isAvailable());
    var material =
        key.equals("RSA")
            ? TestServer.AUTHORITY.issueRsa("localhost")
            : TestServer.AUTHORITY.issue("localhost");
    var agreed = new ArrayList<String>();
    try (var server = serve(TlsOptions.of(material))) {
      for (var suite : OpenSsl.availableJavaCipherSuites()) {
        if (suite.startsWith("TLS_") && suite.contains("_WITH_") && agreeOnSuite(server, suite)) {
          agreed.add(suite);
        }
      }
    }
    var prefix = "TLS_ECDHE_" + key + "_WITH_";
    assertThat(agreed)
        .containsExactlyInAnyOrder(
            prefix + "AES_128_GCM_SHA256",
            prefix + "AES_256_GCM_SHA384",
            prefix + "CHACHA20_POLY1305_SHA256",
            prefix + "AES_128_CBC_SHA",
            prefix + "AES_256_CBC_SHA");
  }

  @Test
  void keyExchangeOfRsaIsThereForThoseThatAskForIt() throws Exception {
    Assumptions.assumeTrue(OpenSsl.isAvailable());
    var suite = "TLS_RSA_WITH_AES_128_GCM_SHA256";
    var tls = TlsOptions.of(TestServer.AUTHORITY.issueRsa("localhost"));
    try (var server = serve(tls.withCiphers(List.of(suite)))) {
      assertThat(agreeOnSuite(server, suite)).isTrue();
      assertThat(agreeOnSuite(server, "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256")).isFalse();
    }
  }

  @Test
  void suitesThatTheLibraryLacksAreNotReplacedByOthers() throws Exception {
    var tls = USUAL.withCiphers(List.of("TLS_ECDHE_ECDSA_WITH_RC4_128_SHA"));
    try (var server = serve(tls)) {
      assertThat(suite(server, "TLSv1.3")).startsWith("TLS_AES_");
      assertThatThrownBy(() -> suite(server, "TLSv1.2")).isInstanceOf(SSLException.class);
    }
  }
}
