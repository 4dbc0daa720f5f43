package dev.muster.http.tls;

import dev.muster.pki.TlsSuites;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.OpenSslContextOption;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.security.GeneralSecurityException;
import java.security.NoSuchAlgorithmException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;

/** Uses BoringSSL if it exists for the platform, and the JDK's TLS otherwise. Thread-safe. */
final class TlsLibrary {
  /** The JDK's TLS supports it from Java 27 on. */
  private static final String POST_QUANTUM = "X25519MLKEM768";

  private static final List<String> TLS_1_3 =
      TlsSuites.USUAL.stream().filter(suite -> !suite.contains("_WITH_")).toList();

  private final TlsOptions options;
  private final boolean boringSsl;

  /** Fails when the library does not support a configured key exchange. */
  TlsLibrary(TlsOptions options) throws SSLException {
    this(options, OpenSsl.isAvailable());
  }

  TlsLibrary(TlsOptions options, boolean boringSsl) throws SSLException {
    this.options = options;
    this.boringSsl = boringSsl;
    if (!boringSsl) {
      System.setProperty("jdk.tls.rejectClientInitiatedRenegotiation", "true");
      if (options.groups().contains(POST_QUANTUM)) {
        throw new SSLException(
            "curve preference "
                + POST_QUANTUM
                + " is not supported by the TLS library: there is no BoringSSL for this platform");
      }
    }
  }

  SslContext context(TlsMaterial from, List<X509Certificate> clientAuthorities)
      throws SSLException {
    try {
      from.requireMatch();
    } catch (GeneralSecurityException e) {
      throw new SSLException("the private key does not belong to the certificate", e);
    }
    var clients = new AcceptAnyClient(clientAuthorities);
    return boringSsl ? boringSsl(from, clients) : jdk(from, clients);
  }

  private SslContext boringSsl(TlsMaterial from, AcceptAnyClient clients) throws SSLException {
    var builder =
        SslContextBuilder.forServer(from.key(), from.chain().toArray(X509Certificate[]::new))
            .sslProvider(SslProvider.OPENSSL_REFCNT)
            .protocols(protocols())
            .clientAuth(ClientAuth.OPTIONAL)
            .trustManager(clients)
            .applicationProtocolConfig(applications());
    builder.ciphers(suites(), SupportedCipherSuiteFilter.INSTANCE);
    if (!options.groups().isEmpty()) {
      builder.option(OpenSslContextOption.GROUPS, options.groups().toArray(String[]::new));
    }
    return builder.build();
  }

  private SslContext jdk(TlsMaterial from, AcceptAnyClient clients) throws SSLException {
    try {
      var context = SSLContext.getInstance("TLS");
      context.init(new KeyManager[] {new SingleKey(from)}, new TrustManager[] {clients}, null);
      return new JdkServerContext(
          context, suites(), protocols(), applications().supportedProtocols());
    } catch (GeneralSecurityException e) {
      throw new SSLException("the certificate cannot be used: " + e.getMessage(), e);
    }
  }

  private ApplicationProtocolConfig applications() {
    return new ApplicationProtocolConfig(
        Protocol.ALPN,
        SelectorFailureBehavior.NO_ADVERTISE,
        SelectedListenerFailureBehavior.ACCEPT,
        options.http2()
            ? List.of(ApplicationProtocolNames.HTTP_2, ApplicationProtocolNames.HTTP_1_1)
            : List.of(ApplicationProtocolNames.HTTP_1_1));
  }

  /** Without a suite for older versions, the library would use its own defaults for them. */
  private List<String> protocols() {
    boolean older =
        options.ciphers().isEmpty()
            || options.ciphers().stream().anyMatch(name -> !TLS_1_3.contains(name) && has(name));
    return older ? options.protocols() : List.of("TLSv1.3");
  }

  private boolean has(String suite) {
    if (boringSsl) {
      return OpenSsl.isCipherSuiteAvailable(suite);
    }
    try {
      var supported = SSLContext.getDefault().getSupportedSSLParameters().getCipherSuites();
      return List.of(supported).contains(suite);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("the JDK has no TLS", e);
    }
  }

  /** As in Go, the suites of TLS 1.3 are not configurable: without them TLS 1.3 would be off. */
  private List<String> suites() {
    return options.ciphers().isEmpty()
        ? TlsSuites.USUAL
        : Stream.concat(options.ciphers().stream(), TLS_1_3.stream()).distinct().toList();
  }

  SslHandler handler(SslContext context, ByteBufAllocator allocator) {
    var handler = context.newHandler(allocator);
    if (!boringSsl && !options.groups().isEmpty()) {
      var parameters = handler.engine().getSSLParameters();
      parameters.setNamedGroups(options.groups().toArray(String[]::new));
      handler.engine().setSSLParameters(parameters);
    }
    // The watchdog ends slow handshakes.
    handler.setHandshakeTimeoutMillis(0);
    handler.setWrapDataSize(0);
    return handler;
  }
}
