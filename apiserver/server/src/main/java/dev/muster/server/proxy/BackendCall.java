package dev.muster.server.proxy;

import dev.muster.registry.connect.Destination;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One request to a backend on a connection of its own, which ends with it. No bytes of a backend
 * can therefore be taken for the response to another request. One virtual thread uses it, which it
 * blocks, and another one may write; {@link #cancel} is thread-safe. Redirects are returned like
 * any other response. The connection becomes raw only if the caller requested another protocol and
 * the backend agreed.
 */
public final class BackendCall implements AutoCloseable {
  private static final int LONGEST_LINE = 16 * 1024;
  private static final int MOST_HEADERS = 64 * 1024;
  private static final int PIECE = 16 * 1024;
  private static final int GOODBYE_MILLIS = 200;

  private final Destination destination;
  private final Target target;
  private final Dialer dialer;
  private final Supplier<SslContext> tls;
  private final ProxyTimeouts timeouts;
  private final BackendEvents events = new BackendEvents();
  private @Nullable Channel channel;
  private boolean cancelled;
  private volatile boolean switched;

  /** A call that is not connected yet. */
  public BackendCall(
      Target target, Dialer dialer, Supplier<SslContext> tls, ProxyTimeouts timeouts) {
    this.destination = target.destination();
    this.target = target;
    this.dialer = dialer;
    this.tls = tls;
    this.timeouts = timeouts;
  }

  /** Connects to the first of the target's addresses that accepts the connection. */
  public void connect() throws BackendException {
    if (!destination.hasValidPort()) {
      throw new BackendException(
          "dial tcp: address " + destination.portNumber() + ": invalid port");
    }
    var patience = timeouts.connect().dividedBy(Math.max(1, target.addresses().size()));
    BackendException last = null;
    for (var address : target.addresses()) {
      try {
        connect(address, patience);
        return;
      } catch (BackendException e) {
        last = e;
      }
    }
    throw last == null ? new BackendException("dial tcp: no addresses") : last;
  }

  private void connect(InetAddress address, Duration patience) throws BackendException {
    var connecting =
        dialer.connect(new InetSocketAddress(address, destination.portNumber()), patience);
    own(connecting.channel());
    connecting.awaitUninterruptibly();
    if (!connecting.isSuccess()) {
      checkCancelled();
      throw BackendException.unconnected(destination.authority(), connecting.cause());
    }
  }

  /** A connection that opens after the client has gone is closed at once. */
  private synchronized void own(Channel opened) throws BackendException {
    channel = opened;
    if (cancelled) {
      opened.close();
    }
    checkCancelled();
  }

  private synchronized void checkCancelled() throws BackendException {
    if (cancelled) {
      throw new BackendException("the client has gone");
    }
  }

  /**
   * Sends a request and waits for the head of the response.
   *
   * @param patience until the response begins
   */
  public BackendResponse send(BackendRequest request, Duration patience) throws BackendException {
    speak(false);
    var connected = connected();
    connected.writeAndFlush(message(request));
    return events.head(connected, patience);
  }

  /**
   * Sends the head of a request; {@link #write} and {@link #finish} follow.
   *
   * @param length of the body, or -1 when it is unknown
   */
  public void begin(BackendRequest request, long length) throws BackendException {
    speak(false);
    var message =
        new DefaultHttpRequest(
            HttpVersion.HTTP_1_1,
            HttpMethod.valueOf(request.method()),
            destination.requestTarget());
    addHeaders(message, request);
    message.headers().set(HttpHeaderNames.CONNECTION, "close");
    if (length < 0) {
      HttpUtil.setTransferEncodingChunked(message, true);
    } else {
      HttpUtil.setContentLength(message, length);
    }
    connected().writeAndFlush(message);
  }

  /**
   * Sends more of the body, or bytes of the switched protocol, and waits until the socket has
   * accepted them.
   */
  public void write(byte[] piece) throws BackendException {
    var bytes = Unpooled.wrappedBuffer(piece);
    if (switched) {
      events.noteUse();
    }
    written(connected().writeAndFlush(switched ? bytes : new DefaultHttpContent(bytes)));
  }

  /** Sends the end of the body. */
  public void finish() throws BackendException {
    written(connected().writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT));
  }

  private static void written(ChannelFuture writing) throws BackendException {
    if (!writing.awaitUninterruptibly().isSuccess()) {
      throw new BackendException(String.valueOf(writing.cause().getMessage()));
    }
  }

  /** Waits for the head of the response. */
  public BackendResponse head(Duration patience) throws BackendException {
    return events.head(connected(), patience);
  }

  /**
   * Requests another protocol and waits for the head of the response. After 101, {@link #write} and
   * {@link #next} carry bytes of that protocol.
   *
   * @param protocol as the client named it
   */
  public BackendResponse upgrade(BackendRequest request, String protocol, Duration patience)
      throws BackendException {
    speak(true);
    var message = message(request);
    message.headers().set(HttpHeaderNames.CONNECTION, "Upgrade");
    message.headers().set(HttpHeaderNames.UPGRADE, protocol);
    var connected = connected();
    connected.writeAndFlush(message);
    var response = events.head(connected, patience);
    switched = response.status() == HttpResponseStatus.SWITCHING_PROTOCOLS.code();
    return response;
  }

  /** Adds TLS and the HTTP codec to the connection. */
  private void speak(boolean upgrade) throws BackendException {
    var connected = connected();
    events.allowUpgrade(upgrade);
    // The handlers of an egress proxy may come first. A closed connection has no handlers at all,
    // so the new ones are added without naming a position.
    var encryption = destination.encrypted() ? encryption(connected) : null;
    if (encryption != null) {
      connected.pipeline().addLast(encryption);
    }
    connected
        .pipeline()
        .addLast(
            new HttpClientCodec(
                new HttpDecoderConfig()
                    .setMaxInitialLineLength(LONGEST_LINE)
                    .setMaxHeaderSize(MOST_HEADERS)
                    .setMaxChunkSize(PIECE),
                HttpClientCodec.DEFAULT_PARSE_HTTP_AFTER_CONNECT_REQUEST,
                false))
        .addLast(events);
    if (encryption != null) {
      encrypt(connected, encryption);
    }
  }

  private synchronized Channel connected() {
    if (channel == null) {
      throw new IllegalStateException("not connected");
    }
    return channel;
  }

  /**
   * The certificate must have the target's name, whichever of its addresses accepted the
   * connection.
   */
  private SslHandler encryption(Channel connected) {
    var handler =
        tls.get()
            .newHandler(
                connected.alloc(),
                target.serverName(),
                destination.portNumber(),
                dialer.handshakes());
    handler.setHandshakeTimeoutMillis(timeouts.handshake().toMillis());
    handler.setCloseNotifyFlushTimeoutMillis(GOODBYE_MILLIS);
    return handler;
  }

  private void encrypt(Channel connected, SslHandler handler) throws BackendException {
    connected.config().setAutoRead(true);
    var handshake = handler.handshakeFuture();
    // On a closed connection the handshake neither begins nor fails.
    var over = new CompletableFuture<Void>();
    handshake.addListener(_ -> over.complete(null));
    connected.closeFuture().addListener(_ -> over.complete(null));
    over.join();
    connected.config().setAutoRead(false);
    if (!handshake.isSuccess()) {
      connected.close();
      checkCancelled();
      var cause = handshake.cause();
      throw cause == null ? new BackendException("EOF") : BackendException.ofTls(cause);
    }
  }

  private DefaultFullHttpRequest message(BackendRequest request) {
    var message =
        new DefaultFullHttpRequest(
            HttpVersion.HTTP_1_1,
            HttpMethod.valueOf(request.method()),
            destination.requestTarget(),
            Unpooled.wrappedBuffer(request.body()));
    addHeaders(message, request);
    message.headers().set(HttpHeaderNames.CONNECTION, "close");
    if (request.body().length > 0) {
      message.headers().set(HttpHeaderNames.CONTENT_LENGTH, request.body().length);
    } else if (takesBody(request.method())) {
      message.headers().set(HttpHeaderNames.CONTENT_LENGTH, 0);
    }
    return message;
  }

  private static void addHeaders(HttpRequest message, BackendRequest request) {
    for (var header : request.headers()) {
      message.headers().add(header.name(), header.value());
    }
  }

  private static boolean takesBody(String method) {
    return switch (method) {
      case "POST", "PUT", "PATCH" -> true;
      default -> false;
    };
  }

  /** Waits for the next piece of the response's body; null at its end. */
  public byte @Nullable [] next() throws BackendException {
    return events.piece(connected(), timeouts.idle());
  }

  /** Closes the connection in any state. */
  public synchronized void cancel() {
    cancelled = true;
    if (channel != null) {
      channel.close();
    }
  }

  @Override
  public void close() {
    cancel();
  }
}
