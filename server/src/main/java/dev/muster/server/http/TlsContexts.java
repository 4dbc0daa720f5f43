package dev.muster.server.http;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import io.netty.util.ReferenceCountUtil;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Safe from any thread: makes the TLS side of new connections from the newest usable material.
 * BoringSSL where it is there for the platform, the JDK's TLS otherwise.
 */
final class TlsContexts implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(TlsContexts.class);
  private final TlsOptions options;
  private SslContext context;
  private @Nullable TlsMaterial material;
  private @Nullable List<X509Certificate> authorities;

  /** Fails when the first material cannot be used. */
  TlsContexts(TlsOptions options) throws SSLException {
    this.options = options;
    var first = options.material().get();
    var firstAuthorities = options.clientAuthorities().get();
    context = build(first, firstAuthorities);
    material = first;
    authorities = firstAuthorities;
  }

  synchronized SslHandler handler(ByteBufAllocator allocator) {
    refresh();
    return context.newHandler(allocator);
  }

  private void refresh() {
    try {
      var newest = options.material().get();
      var newestAuthorities = options.clientAuthorities().get();
      if (newest.equals(material) && newestAuthorities.equals(authorities)) {
        return;
      }
      material = newest;
      authorities = newestAuthorities;
      var old = context;
      context = build(newest, newestAuthorities);
      ReferenceCountUtil.release(old);
      log.info(
          "using a new serving certificate: {}, valid until {}",
          newest.chain().getFirst().getSubjectX500Principal(),
          newest.chain().getFirst().getNotAfter().toInstant());
    } catch (SSLException | RuntimeException e) {
      log.warn("the new serving certificate cannot be used, the last one stays in use", e);
    }
  }

  private SslContext build(TlsMaterial from, List<X509Certificate> clientAuthorities)
      throws SSLException {
    try {
      from.requireMatch();
    } catch (GeneralSecurityException e) {
      throw new SSLException("the private key does not belong to the certificate", e);
    }
    boolean openSsl = OpenSsl.isAvailable();
    if (!openSsl) {
      System.setProperty("jdk.tls.rejectClientInitiatedRenegotiation", "true");
    }
    var builder =
        SslContextBuilder.forServer(from.key(), from.chain().toArray(X509Certificate[]::new))
            .sslProvider(openSsl ? SslProvider.OPENSSL_REFCNT : SslProvider.JDK)
            .protocols(options.protocols())
            .clientAuth(ClientAuth.OPTIONAL)
            .trustManager(new AcceptAnyClient(clientAuthorities))
            .applicationProtocolConfig(
                new ApplicationProtocolConfig(
                    Protocol.ALPN,
                    SelectorFailureBehavior.NO_ADVERTISE,
                    SelectedListenerFailureBehavior.ACCEPT,
                    options.http2()
                        ? List.of(
                            ApplicationProtocolNames.HTTP_2, ApplicationProtocolNames.HTTP_1_1)
                        : List.of(ApplicationProtocolNames.HTTP_1_1)));
    if (!options.ciphers().isEmpty()) {
      builder.ciphers(options.ciphers(), SupportedCipherSuiteFilter.INSTANCE);
    }
    return builder.build();
  }

  @Override
  public synchronized void close() {
    ReferenceCountUtil.release(context);
  }
}
