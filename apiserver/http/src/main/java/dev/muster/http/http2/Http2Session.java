package dev.muster.http.http2;

import dev.muster.http.connection.ClientConnection;
import dev.muster.http.connection.ConnectionContext;
import dev.muster.http.connection.Session;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One HTTP/2 connection. Only its event loop uses it. Netty reads frames and keeps stream states
 * and flow-control windows; {@link Http2Output} sends the data of the streams.
 */
public final class Http2Session extends Http2ConnectionHandler implements Session {
  private static final Logger log = LoggerFactory.getLogger(Http2Session.class);

  private static final int CONNECTION_WINDOW = 1024 * 1024;
  private static final long GOODBYE_MILLIS = 1000;

  final ClientConnection peer;
  final ConnectionContext serving;
  private final FloodGuard guard;
  private final Http2Output output;
  private final ResetStreams resetHere;
  private final Http2Connection.PropertyKey exchangeKey;
  private final ArrayList<Http2Exchange> attended = new ArrayList<>(0);
  private @Nullable ChannelHandlerContext context;
  private long idleSince = System.nanoTime();
  private boolean used;
  private boolean leaving;
  private boolean closeWhenIdle;
  private boolean broken;

  /** Adds HTTP/2 behind the handlers that the pipeline already has. */
  public static void begin(
      ChannelPipeline pipeline,
      ClientConnection clientConnection,
      ConnectionContext connectionContext) {
    var session =
        new Http2Session(
            clientConnection, connectionContext, Http2Codec.of(connectionContext.limits()));
    clientConnection.session(session);
    pipeline.addLast(clientConnection.out(), session);
  }

  private Http2Session(
      ClientConnection clientConnection, ConnectionContext connectionContext, Http2Codec codec) {
    super(codec.decoder(), codec.encoder(), codec.settings());
    this.peer = clientConnection;
    this.serving = connectionContext;
    this.guard = codec.guard();
    this.output =
        new Http2Output(
            clientConnection,
            connection(),
            new Http2Answers(clientConnection.out(), encoder().configuration().frameSizePolicy()));
    this.exchangeKey = connection().newKey();
    guard.answering(this::answering);
    this.resetHere = new ResetStreams(decoder().flowController());
    guard.resetHere(resetHere);
    gracefulShutdownTimeoutMillis(0);
    var requests = new Http2Requests(this);
    decoder().frameListener(requests);
    connection().addListener(requests);
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) throws Exception {
    context = ctx;
    super.handlerAdded(ctx);
    decoder()
        .flowController()
        .incrementWindowSize(
            connection().connectionStream(),
            CONNECTION_WINDOW
                - decoder().flowController().windowSize(connection().connectionStream()));
    ctx.flush();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
    peer.reading(true);
    super.channelRead(ctx, message);
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
    if (broken) {
      in.skipBytes(in.readableBytes());
    } else {
      super.decode(ctx, in, out);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
    peer.reading(false);
    super.channelReadComplete(ctx);
  }

  @Override
  public void flush(ChannelHandlerContext ctx) {
    super.flush(ctx);
    output.resumeWaiting();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) throws Exception {
    super.channelWritabilityChanged(ctx);
    peer.writabilityChanged();
    if (output.hasWaiting() && ctx.channel().isWritable()) {
      peer.flushSoon();
    }
  }

  @Override
  public void flushNow() {
    flush(context());
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) throws Exception {
    if (getEmbedded(cause) == null) {
      ctx.close();
    } else {
      super.exceptionCaught(ctx, cause);
    }
  }

  private static @Nullable Http2Exception getEmbedded(Throwable cause) {
    for (Throwable each = cause; each != null; each = each.getCause()) {
      if (each instanceof Http2Exception found) {
        return found;
      }
    }
    return null;
  }

  @Override
  protected void onStreamError(
      ChannelHandlerContext ctx,
      boolean outbound,
      Throwable cause,
      Http2Exception.StreamException error) {
    try {
      if (!outbound) {
        serving.counters().requestsRejected.increment();
        if (error.error() == Http2Error.REFUSED_STREAM) {
          guard.refusedStream();
        } else {
          guard.streamError();
        }
      }
    } catch (Http2Exception flood) {
      onConnectionError(ctx, false, flood, flood);
      return;
    }
    resetHere.add(error.streamId());
    super.onStreamError(ctx, outbound, cause, error);
  }

  @Override
  protected void onConnectionError(
      ChannelHandlerContext ctx,
      boolean outbound,
      Throwable cause,
      @Nullable Http2Exception error) {
    if (error != null && error.error() == Http2Error.ENHANCE_YOUR_CALM) {
      serving.counters().connectionsFlooding.increment();
      log.info("closing the connection from {}: {}", peer.remoteAddress(), error.getMessage());
    } else {
      log.debug("closing the connection from {}", peer.remoteAddress(), cause);
    }
    broken = true;
    super.onConnectionError(ctx, outbound, cause, error);
  }

  @Override
  protected void handleServerHeaderDecodeSizeError(ChannelHandlerContext ctx, Http2Stream stream) {
    output.sendHead(
        stream, serving.errors().render(431, "request header fields too large"), -1, true);
    closeStreamLocal(stream, ctx.newSucceededFuture());
  }

  /** The output of all streams. */
  Http2Output output() {
    return output;
  }

  void accept(Http2Exchange exchange) {
    used = true;
    exchange.stream.setProperty(exchangeKey, exchange);
    serving.counters().requestsHttp2.increment();
  }

  @Nullable Http2Exchange exchange(@Nullable Http2Stream stream) {
    return stream == null ? null : stream.getProperty(exchangeKey);
  }

  private boolean answering(int streamId) {
    var exchange = exchange(connection().stream(streamId));
    return exchange != null && exchange.begun();
  }

  void streamClosed(Http2Stream stream) {
    var exchange = exchange(stream);
    if (exchange != null) {
      exchange.clientGone();
    }
    if (connection().numActiveStreams() == 0) {
      idleSince = System.nanoTime();
      if (closeWhenIdle) {
        peer.loop().execute(this::closeWhenSent);
      }
    }
  }

  /** Lets the client send that many more bytes of a body. */
  void inputTaken(Http2Stream stream, int bytes) {
    try {
      if (decoder().flowController().consumeBytes(stream, bytes)) {
        peer.flushSoon();
      }
    } catch (Http2Exception e) {
      log.debug("the window of stream {} is as it was", stream.id(), e);
    }
  }

  /** The response is sent. */
  void closeLocal(Http2Stream stream) {
    closeStreamLocal(stream, context().newSucceededFuture());
  }

  void reset(Http2Stream stream, Http2Error error) {
    resetHere.add(stream.id());
    var ctx = context();
    encoder().writeRstStream(ctx, stream.id(), error.code(), ctx.newPromise());
  }

  private ChannelHandlerContext context() {
    if (context == null) {
      throw new IllegalStateException("not yet connected");
    }
    return context;
  }

  @Override
  public void tick(long now) {
    var timeouts = serving.limits().timeouts();
    if (peer.stalled(now)) {
      serving.counters().timeouts.increment();
      peer.channel().close();
    } else if (connection().numActiveStreams() == 0) {
      attended.clear();
      var limit = used ? timeouts.idle() : timeouts.header();
      if (now - idleSince > limit.toNanos()) {
        if (!used) {
          serving.counters().timeouts.increment();
        }
        peer.channel().close();
      }
    } else {
      tickExchanges(now);
    }
  }

  /** Checks the exchange every second while it has a body or waiting data. */
  void attend(Http2Exchange exchange) {
    attended.add(exchange);
  }

  /**
   * Checks only these exchanges: a connection with many silent watches costs no more than an idle
   * one.
   */
  private void tickExchanges(long now) {
    for (int i = attended.size() - 1; i >= 0; i--) {
      var exchange = attended.get(i);
      if (exchange.needsTick()) {
        exchange.tick(now);
      } else {
        var last = attended.removeLast();
        if (last != exchange) {
          attended.set(i, last);
        }
      }
    }
  }

  /** Only authenticated connections may have more streams. */
  @Override
  public void vouched() {
    int streams = serving.limits().maxStreamsPerConnection();
    if (streams > connection().remote().maxActiveStreams()) {
      connection().remote().maxActiveStreams(streams);
      var ctx = context();
      encoder()
          .writeSettings(ctx, new Http2Settings().maxConcurrentStreams(streams), ctx.newPromise());
      peer.flushSoon();
    }
  }

  /**
   * The defence of kube-apiserver against floods of streams (CVE-2023-44487): an unauthenticated
   * connection gets one response and then ends.
   */
  @Override
  public void unknownUser() {
    endSoon();
  }

  /** Completes running requests; the client opens another connection for new ones. */
  void endSoon() {
    if (!leaving) {
      drain(GOODBYE_MILLIS);
    }
  }

  private void forEachExchange(Consumer<Http2Exchange> action) {
    try {
      connection()
          .forEachActiveStream(
              stream -> {
                var exchange = exchange(stream);
                if (exchange != null) {
                  action.accept(exchange);
                }
                return true;
              });
    } catch (Http2Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Follows RFC 9113, 6.8: a first GOAWAY announces the end, and a later one names the last stream.
   */
  @Override
  public void drain(long graceMillis) {
    leaving = true;
    goAway(Integer.MAX_VALUE);
    peer.loop()
        .schedule(
            () -> {
              goAway(connection().remote().lastStreamCreated());
              closeWhenIdle = true;
              if (connection().numActiveStreams() == 0) {
                closeWhenSent();
              }
            },
            graceMillis,
            TimeUnit.MILLISECONDS);
  }

  private void closeWhenSent() {
    flushNow();
    peer.out().closeWhenSent();
  }

  private void goAway(int lastStream) {
    var ctx = context();
    if (ctx.channel().isActive()) {
      ByteBuf reason = Unpooled.EMPTY_BUFFER;
      goAway(ctx, lastStream, Http2Error.NO_ERROR.code(), reason, ctx.newPromise());
      flush(ctx);
    }
  }

  @Override
  public void endStreams() {
    forEachExchange(
        exchange -> {
          if (exchange.streaming()) {
            exchange.finish();
          }
        });
  }
}
