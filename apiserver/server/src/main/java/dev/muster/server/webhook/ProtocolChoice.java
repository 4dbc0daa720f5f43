package dev.muster.server.webhook;

import dev.muster.server.proxy.BackendException;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;
import java.util.concurrent.CompletableFuture;

/**
 * Installs the protocol that the TLS handshake has negotiated. Only the event loop of its
 * connection uses it.
 */
final class ProtocolChoice extends ApplicationProtocolNegotiationHandler {
  private final CompletableFuture<WebhookConnection> connection;

  ProtocolChoice(CompletableFuture<WebhookConnection> connection) {
    super(ApplicationProtocolNames.HTTP_1_1);
    this.connection = connection;
  }

  @Override
  protected void configurePipeline(ChannelHandlerContext ctx, String protocol) {
    connection.complete(
        protocol.equals(ApplicationProtocolNames.HTTP_2)
            ? new Http2Connection(ctx.channel())
            : new Http1Connection(ctx.channel()));
  }

  @Override
  protected void handshakeFailure(ChannelHandlerContext ctx, Throwable cause) {
    fail(BackendException.ofTls(cause).text());
    ctx.close();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    fail(BackendException.ofTls(cause).text());
    ctx.close();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) throws Exception {
    fail("EOF");
    super.channelInactive(ctx);
  }

  private void fail(String why) {
    connection.completeExceptionally(new ExchangeException(why, false));
  }
}
