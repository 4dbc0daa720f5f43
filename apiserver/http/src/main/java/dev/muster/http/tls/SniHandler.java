package dev.muster.http.tls;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.AbstractSniHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the server name that a client asks for, then installs TLS with the certificate for that
 * name. Only the event loop of the connection uses it.
 */
final class SniHandler extends AbstractSniHandler<SslHandler> {
  /** The largest first message that BoringSSL accepts. */
  private static final int MOST_BYTES = 16 * 1024;

  private final TlsContexts contexts;
  private final Consumer<SslHandler> chosen;

  SniHandler(TlsContexts contexts, Consumer<SslHandler> chosen) {
    super(MOST_BYTES, 0);
    this.contexts = contexts;
    this.chosen = chosen;
  }

  @Override
  protected Future<SslHandler> lookup(ChannelHandlerContext ctx, @Nullable String name) {
    return ctx.executor()
        .newSucceededFuture(contexts.handler(ctx.channel(), name == null ? "" : name));
  }

  @Override
  protected void onLookupComplete(
      ChannelHandlerContext ctx, @Nullable String name, Future<SslHandler> found) {
    var handler = found.getNow();
    chosen.accept(handler);
    ctx.pipeline().replace(this, null, handler);
  }
}
