package dev.muster.server.egress;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Connects a channel through a proxy. Only the event loop of the channel uses it. The connect
 * promise succeeds when the proxy has reached the destination; only then may the caller send.
 */
abstract class EgressTunnel extends ChannelDuplexHandler {
  private final SocketAddress proxy;
  private final Duration patience;
  private String destination = "";
  private @Nullable ChannelPromise waiting;
  private @Nullable Future<?> timeout;
  private boolean readsByItself;
  private boolean open;

  /**
   * @param proxy its address
   * @param patience until the destination is reached
   */
  EgressTunnel(SocketAddress proxy, Duration patience) {
    this.proxy = proxy;
    this.patience = patience;
  }

  /** Asks the connected proxy for the destination. */
  abstract void begin(ChannelHandlerContext ctx, String destination);

  @Override
  public void connect(
      ChannelHandlerContext ctx,
      SocketAddress remote,
      @Nullable SocketAddress local,
      ChannelPromise promise) {
    destination = authority(remote);
    waiting = promise;
    timeout =
        ctx.executor()
            .schedule(
                () -> fail(ctx, new EgressException("i/o timeout")),
                patience.toMillis(),
                TimeUnit.MILLISECONDS);
    var connected = ctx.newPromise();
    connected.addListener(
        done -> {
          if (!done.isSuccess()) {
            fail(ctx, new EgressException("cannot reach the proxy: " + done.cause().getMessage()));
          }
        });
    ctx.connect(proxy, connected);
  }

  private static String authority(SocketAddress remote) {
    if (!(remote instanceof InetSocketAddress address)) {
      return remote.toString();
    }
    var host =
        address.isUnresolved() ? address.getHostString() : address.getAddress().getHostAddress();
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    readsByItself = ctx.channel().config().isAutoRead();
    ctx.channel().config().setAutoRead(true);
    begin(ctx, destination);
  }

  /** Whether the destination is reached, so that all bytes are for it or from it. */
  final boolean isOpen() {
    return open;
  }

  final void open(ChannelHandlerContext ctx) {
    open = true;
    stopWaiting();
    ctx.channel().config().setAutoRead(readsByItself);
    var promise = waiting;
    if (promise != null) {
      promise.trySuccess();
    }
    ctx.fireChannelActive();
  }

  final void fail(ChannelHandlerContext ctx, EgressException cause) {
    stopWaiting();
    var promise = waiting;
    if (promise != null) {
      promise.tryFailure(cause);
    }
    ctx.channel().close();
  }

  private void stopWaiting() {
    var scheduled = timeout;
    if (scheduled != null) {
      scheduled.cancel(false);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    if (open) {
      ctx.fireChannelInactive();
    } else {
      fail(ctx, new EgressException("the proxy closed the connection"));
    }
  }

  /** Hides the TLS handshake with the proxy from the handlers of the destination. */
  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (open || !(event instanceof SslHandshakeCompletionEvent handshake)) {
      ctx.fireUserEventTriggered(event);
    } else if (!handshake.isSuccess()) {
      fail(ctx, new EgressException("TLS with the proxy: " + handshake.cause().getMessage()));
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (open) {
      ctx.fireExceptionCaught(cause);
    } else {
      fail(ctx, new EgressException("the connection to the proxy failed: " + cause.getMessage()));
    }
  }
}
