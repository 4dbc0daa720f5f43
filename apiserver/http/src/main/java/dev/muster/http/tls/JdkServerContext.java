package dev.muster.http.tls;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolNegotiator;
import io.netty.handler.ssl.SslContext;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSessionContext;

/**
 * The server's side of the JDK's TLS. Thread-safe. Netty's own {@code JdkSslContext} tests the JDK
 * first, for which a new JVM reads all of its trusted CAs.
 */
final class JdkServerContext extends SslContext {
  private final SSLContext context;
  private final String[] ciphers;
  private final String[] protocols;
  private final List<String> applications;

  /**
   * @param ciphers those that the JDK does not support are ignored
   * @param applications protocols for ALPN, the best first; a client that offers none of them gets
   *     none
   */
  JdkServerContext(
      SSLContext context, List<String> ciphers, List<String> protocols, List<String> applications) {
    this.context = context;
    var known = List.of(context.getSupportedSSLParameters().getCipherSuites());
    this.ciphers = ciphers.stream().filter(known::contains).toArray(String[]::new);
    this.protocols = protocols.toArray(String[]::new);
    this.applications = List.copyOf(applications);
  }

  @Override
  public SSLEngine newEngine(ByteBufAllocator allocator) {
    return prepared(context.createSSLEngine());
  }

  @Override
  public SSLEngine newEngine(ByteBufAllocator allocator, String peerHost, int peerPort) {
    return prepared(context.createSSLEngine(peerHost, peerPort));
  }

  private SSLEngine prepared(SSLEngine engine) {
    engine.setUseClientMode(false);
    engine.setWantClientAuth(true);
    engine.setEnabledProtocols(protocols);
    engine.setEnabledCipherSuites(ciphers);
    engine.setHandshakeApplicationProtocolSelector((_, offered) -> chosen(offered));
    return engine;
  }

  private String chosen(List<String> offered) {
    return applications.stream().filter(offered::contains).findFirst().orElse("");
  }

  @Override
  public boolean isClient() {
    return false;
  }

  @Override
  public List<String> cipherSuites() {
    return List.of(ciphers);
  }

  @Override
  @SuppressWarnings("deprecation")
  public ApplicationProtocolNegotiator applicationProtocolNegotiator() {
    return () -> applications;
  }

  @Override
  public SSLSessionContext sessionContext() {
    return context.getServerSessionContext();
  }
}
