package dev.muster.http.listen;

import dev.muster.http.connection.ClientConnection;
import dev.muster.http.connection.ConnectionContext;
import dev.muster.http.http1.Http1Session;
import dev.muster.http.http2.Http2Session;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for the TLS handshake, then installs the negotiated protocol. Only the event loop of the
 * connection uses it.
 */
final class Handshake extends ChannelInboundHandlerAdapter {
  private static final Logger log = LoggerFactory.getLogger(Handshake.class);

  /** The limit of the JDK's TLS and other libraries. */
  private static final int MOST_CERTIFICATES = 10;

  private static final int MOST_CERTIFICATE_BYTES = 32 * 1024;

  private final ClientConnection clientConnection;
  private final UnauthenticatedConnection connection;
  private final UnauthenticatedConnections unidentified;
  private final ConnectionContext connectionContext;

  Handshake(
      ClientConnection clientConnection,
      UnauthenticatedConnection connection,
      UnauthenticatedConnections unidentified,
      ConnectionContext connectionContext) {
    this.clientConnection = clientConnection;
    this.connection = connection;
    this.unidentified = unidentified;
    this.connectionContext = connectionContext;
  }

  /** Called after each batch of bytes, all of which the TLS handler consumes. */
  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    unidentified.heard(connection);
    ctx.fireChannelReadComplete();
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (!(event instanceof SslHandshakeCompletionEvent done)) {
      ctx.fireUserEventTriggered(event);
      return;
    }
    if (!done.isSuccess() || isTooLarge(clientConnection.certificates())) {
      connectionContext.counters().tlsErrors.increment();
      log.debug("TLS handshake with {} failed", clientConnection.remoteAddress(), done.cause());
      ctx.close();
      return;
    }
    connectionContext.counters().tlsHandshakes.increment();
    unidentified.handshaken(connection);
    if (ApplicationProtocolNames.HTTP_2.equals(clientConnection.applicationProtocol())) {
      Http2Session.begin(ctx.pipeline(), clientConnection, connectionContext);
    } else {
      Http1Session.begin(ctx.pipeline(), clientConnection, connectionContext);
    }
    ctx.pipeline().remove(this);
  }

  /** Rejects chains longer than any client needs, because reading them costs the server. */
  private static boolean isTooLarge(List<X509Certificate> chain) {
    if (chain.isEmpty()) {
      return false;
    }
    long bytes = 0;
    try {
      for (var certificate : chain) {
        bytes += certificate.getEncoded().length;
      }
    } catch (CertificateEncodingException e) {
      return true;
    }
    return chain.size() > MOST_CERTIFICATES || bytes > MOST_CERTIFICATE_BYTES;
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    ctx.close();
  }
}
