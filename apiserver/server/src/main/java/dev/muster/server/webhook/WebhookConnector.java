package dev.muster.server.webhook;

import dev.muster.server.egress.EgressType;
import dev.muster.server.proxy.BackendException;
import dev.muster.server.proxy.Dialer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Opens connections to webhooks. Thread-safe. Blocks the calling thread. */
final class WebhookConnector {
  /** The idle timeout of Go's client, longer than any call. */
  private static final int IDLE_SECONDS = 90;

  private static final int GOODBYE_MILLIS = 200;

  private final Map<EgressType, Dialer> dialers;
  private final ConnectionPool pool;
  private final WebhookTls tls = new WebhookTls();

  /**
   * @param dialers by the egress type of their connections
   */
  WebhookConnector(Map<EgressType, Dialer> dialers, ConnectionPool pool) {
    this.dialers = dialers;
    this.pool = pool;
  }

  private Dialer dialer(Origin origin) {
    return Objects.requireNonNull(dialers.get(origin.way()));
  }

  /** Connects to the first of the origin's addresses that accepts the connection. */
  WebhookConnection connect(Origin origin, CallDeadline patience) throws ExchangeException {
    if (origin.port() < 1 || origin.port() > 0xffff) {
      throw new ExchangeException("dial tcp: address " + origin.port() + ": invalid port", false);
    }
    var context = origin.encrypted() ? tls.of(origin.trust()) : null;
    try {
      var addresses = dialer(origin).lookup(origin.host(), patience.left());
      var each = patience.left().dividedBy(addresses.size());
      ExchangeException last = null;
      for (var address : addresses) {
        try {
          return speak(origin, dial(origin, address, each, patience), context, patience);
        } catch (ExchangeException e) {
          if (patience.isOver()) {
            throw e;
          }
          last = e;
        }
      }
      throw last == null ? new ExchangeException("dial tcp: no addresses", false) : last;
    } catch (BackendException e) {
      throw new ExchangeException(
          patience.isOver() ? "context deadline exceeded" : "dial tcp: " + e.text(), false);
    }
  }

  private Channel dial(Origin origin, InetAddress address, Duration each, CallDeadline patience)
      throws ExchangeException {
    var connecting = dialer(origin).connect(new InetSocketAddress(address, origin.port()), each);
    var channel = connecting.channel();
    var connected = new CompletableFuture<Channel>();
    connecting.addListener(
        done -> {
          if (done.isSuccess()) {
            connected.complete(channel);
          } else {
            connected.completeExceptionally(unconnected(address, origin.port(), done.cause()));
          }
        });
    try {
      return patience.await(connected, () -> false);
    } catch (ExchangeException e) {
      channel.close();
      throw e;
    }
  }

  private static ExchangeException unconnected(InetAddress address, int port, Throwable cause) {
    var host = address.getHostAddress();
    var authority = (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    return new ExchangeException(BackendException.unconnected(authority, cause).text(), false);
  }

  /**
   * @param context of TLS; null for plain text
   */
  private WebhookConnection speak(
      Origin origin, Channel channel, @Nullable SslContext context, CallDeadline patience)
      throws ExchangeException {
    var made = new CompletableFuture<WebhookConnection>();
    if (context == null) {
      channel.pipeline().addLast(new Idleness());
      channel.eventLoop().execute(() -> made.complete(new Http1Connection(channel)));
    } else {
      channel
          .pipeline()
          .addLast(
              handshake(origin, channel, context, patience),
              new Idleness(),
              new ProtocolChoice(made));
    }
    channel.config().setAutoRead(true);
    try {
      var connection = patience.await(made, () -> false);
      channel.closeFuture().addListener(closed -> pool.forget(origin, connection));
      return connection;
    } catch (ExchangeException e) {
      channel.close();
      throw e;
    }
  }

  private SslHandler handshake(
      Origin origin, Channel channel, SslContext context, CallDeadline patience) {
    var handler =
        context.newHandler(
            channel.alloc(), origin.serverName(), origin.port(), dialer(origin).handshakes());
    handler.setHandshakeTimeout(patience.left().toMillis() + 1, TimeUnit.MILLISECONDS);
    handler.setCloseNotifyFlushTimeoutMillis(GOODBYE_MILLIS);
    return handler;
  }

  /** Closes idle connections. */
  private static final class Idleness extends IdleStateHandler {
    private Idleness() {
      super(0, 0, IDLE_SECONDS);
    }

    @Override
    protected void channelIdle(ChannelHandlerContext ctx, IdleStateEvent event) {
      ctx.close();
    }
  }
}
