package dev.muster.http.http1;

import dev.muster.http.connection.ClientConnection;
import dev.muster.http.connection.ConnectionContext;
import dev.muster.http.connection.Session;
import dev.muster.http.exchange.RequestBodyStream;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import io.netty.handler.codec.http.websocketx.WebSocketFrameAggregator;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP/1.1 connection. Only its event loop uses it. It handles requests one at a time, in
 * order. Pipelined requests wait here, and then in the socket.
 */
public final class Http1Session extends ChannelInboundHandlerAdapter implements Session {
  /** Lets a client that still sends read the response before its connection is reset. */
  private static final long LINGER_MILLIS = 500;

  /**
   * While a server stops, a connection that was used within this time stays open for as long,
   * because its next request may be on its way. The response to that request says that the
   * connection closes.
   */
  private static final long RECENT_MILLIS = 500;

  private static final int MAX_FRAME = 64 * 1024;

  final ClientConnection peer;
  final ConnectionContext serving;
  private final ArrayDeque<HttpObject> backlog = new ArrayDeque<>();
  private @Nullable Http1Exchange current;
  private long headerSince = System.nanoTime();
  private boolean headerUnderWay = true;

  /** Whether bytes of a next request have arrived. */
  private boolean arriving;

  private boolean working;
  private boolean closing;
  private boolean draining;

  private Http1Session(ClientConnection clientConnection, ConnectionContext connectionContext) {
    this.peer = clientConnection;
    this.serving = connectionContext;
  }

  /** Adds HTTP/1.1 behind the handlers that the pipeline already has. */
  public static void begin(
      ChannelPipeline pipeline,
      ClientConnection clientConnection,
      ConnectionContext connectionContext) {
    var session = new Http1Session(clientConnection, connectionContext);
    clientConnection.session(session);
    pipeline.addLast(
        clientConnection.out(),
        new Http1Decoder(session, connectionContext.limits().maxHeaderBytes()),
        session);
  }

  /** Called before the parser reads new bytes. */
  void bytesArrive() {
    peer.reading(true);
    if (current == null) {
      arriving = true;
      if (!headerUnderWay) {
        headerUnderWay = true;
        headerSince = System.nanoTime();
      }
    }
  }

  boolean draining() {
    return draining;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (closing || !(message instanceof HttpObject object)) {
      ReferenceCountUtil.release(message);
    } else if (working || !backlog.isEmpty() || !wantsMore()) {
      backlog.add(object);
      ctx.channel().config().setAutoRead(false);
    } else {
      take(object);
    }
  }

  /**
   * Treats the client's bytes as WebSocket frames from now on, once the parser is at rest.
   *
   * @param messages receives the messages; null to ignore them
   */
  void becomeWebSocket(Http1Exchange exchange, @Nullable RequestBodyStream messages) {
    peer.execute(
        () -> {
          var pipeline = peer.channel().pipeline();
          if (pipeline.get(Http1Decoder.class) != null) {
            pipeline.replace(
                Http1Decoder.class,
                "frames",
                new WebSocket13FrameDecoder(
                    WebSocketDecoderConfig.newBuilder()
                        .allowExtensions(false)
                        .maxFramePayloadLength(
                            messages == null ? MAX_FRAME : WebSocketMessages.LONGEST)
                        .build()));
            pipeline.addAfter(
                "frames", "messages", new WebSocketMessages(exchange, serving, messages));
            if (messages != null) {
              pipeline.addAfter(
                  "frames", "fragments", new WebSocketFrameAggregator(WebSocketMessages.LONGEST));
            }
          }
        });
  }

  /**
   * Passes the client's bytes on unparsed from now on. If the client sent bytes before the switch,
   * they are ambiguous and the connection is closed.
   */
  void becomeTunnel(RequestBodyStream input) {
    peer.execute(
        () -> {
          var pipeline = peer.channel().pipeline();
          if (pipeline.get(Http1Decoder.class) == null) {
            return;
          }
          if (!backlog.isEmpty()) {
            peer.channel().close();
            return;
          }
          pipeline.replace(Http1Decoder.class, "tunnel", new RawInput(input));
        });
  }

  /** Pauses or resumes reading the current request. */
  void pauseInput(boolean pause) {
    if (pause || backlog.isEmpty()) {
      peer.channel().config().setAutoRead(!pause);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    peer.reading(false);
    ctx.flush();
  }

  /** Whether the next message of the connection can be handled now. */
  private boolean wantsMore() {
    return current == null || !current.requestEnded();
  }

  private void take(HttpObject object) {
    try {
      if (object.decoderResult().isFailure()) {
        malformed(object.decoderResult().cause());
        return;
      }
      if (object instanceof HttpRequest request) {
        begin(request);
      }
      if (object instanceof HttpContent content && current != null) {
        arrived(current, content);
      }
    } finally {
      ReferenceCountUtil.release(object);
    }
  }

  private void begin(HttpRequest request) {
    headerUnderWay = false;
    arriving = false;
    serving.counters().requestsHttp1.increment();
    var head = new Http1Request(request);
    var exchange = new Http1Exchange(this, head);
    current = exchange;
    if (head.hasUnknownVersion()) {
      reject(exchange, 505, "unsupported protocol version");
    } else if (!head.isWellFormed()) {
      reject(exchange, 400, "malformed HTTP request");
    } else if (head.hasOtherExpectation()) {
      reject(exchange, 417, "the expectation cannot be met");
    } else if (head.announcesBody()) {
      exchange.beginWithBody(head.announced());
    }
  }

  private void arrived(Http1Exchange exchange, HttpContent content) {
    var intake = exchange.intake();
    if (intake != null) {
      intake.arrived(content.content());
    }
    if (!(content instanceof LastHttpContent)) {
      return;
    }
    exchange.endRequest();
    if (intake == null) {
      exchange.begin();
    } else {
      intake.end();
    }
    if (current == exchange && exchange.isOver()) {
      next();
    }
  }

  private void malformed(Throwable cause) {
    var exchange = current;
    if (exchange == null) {
      exchange = Http1Exchange.unreadable(this);
      current = exchange;
      if (cause instanceof TooLongHttpHeaderException
          || cause instanceof TooLongHttpLineException) {
        reject(exchange, 431, "request header fields too large");
      } else {
        reject(exchange, 400, "malformed HTTP request");
      }
    } else if (exchange.intake() != null && !exchange.isOver()) {
      exchange.closeAfter();
      exchange.intake().refuse(400, "malformed HTTP request");
    } else {
      peer.channel().close();
    }
  }

  /**
   * Answers a request that cannot be handled, and closes, because the rest of the input is not
   * trustworthy.
   */
  private static void reject(Http1Exchange exchange, int status, String message) {
    exchange.closeAfter();
    exchange.linger();
    exchange.refuse(status, message);
  }

  /** The connection has accepted the whole response. */
  void done(Http1Exchange exchange) {
    if (current != exchange) {
      return;
    }
    if (exchange.closesAfter()) {
      current = null;
      closing = true;
      dropBacklog();
      if (exchange.lingers()) {
        peer.out().flushNow();
        peer.loop().schedule(peer.out()::closeWhenSent, LINGER_MILLIS, TimeUnit.MILLISECONDS);
      } else {
        peer.out().closeWhenSent();
      }
    } else if (exchange.requestEnded()) {
      next();
    }
  }

  private void next() {
    current = null;
    headerUnderWay = false;
    arriving = false;
    headerSince = System.nanoTime();
    workOff();
    if (draining) {
      // The response began before the drain, and so could not announce that the connection closes.
      closeLater();
    }
  }

  private void workOff() {
    if (working || backlog.isEmpty()) {
      return;
    }
    working = true;
    try {
      while (wantsMore() && !closing) {
        var next = backlog.poll();
        if (next == null) {
          break;
        }
        take(next);
      }
    } finally {
      working = false;
    }
    if (backlog.isEmpty()) {
      peer.channel().config().setAutoRead(true);
    }
    peer.flushSoon();
  }

  private void dropBacklog() {
    for (var next = backlog.poll(); next != null; next = backlog.poll()) {
      ReferenceCountUtil.release(next);
    }
    peer.channel().config().setAutoRead(true);
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    peer.writabilityChanged();
    if (current != null && ctx.channel().isWritable()) {
      current.pump();
      peer.flushSoon();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    closing = true;
    dropBacklog();
    if (current != null) {
      current.gone();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    ctx.close();
  }

  @Override
  public void flushNow() {
    peer.out().flushNow();
  }

  @Override
  public void tick(long now) {
    var timeouts = serving.limits().timeouts();
    if (peer.stalled(now)) {
      timedOut();
      peer.channel().close();
    } else if (current != null && current.isTooSlow(now)) {
      timedOut();
      peer.channel().close();
    } else if (closing) {
      return;
    } else if (current != null) {
      if (current.intake() != null) {
        current.intake().tick(now);
      }
    } else if (headerUnderWay) {
      if (now - headerSince > timeouts.header().toNanos()) {
        timedOut();
        var late = Http1Exchange.unreadable(this);
        current = late;
        reject(late, 408, "the request headers took too long to arrive");
      }
    } else if (now - headerSince > timeouts.idle().toNanos()) {
      peer.channel().close();
    }
  }

  @Override
  public void vouched() {}

  @Override
  public void unknownUser() {}

  private void timedOut() {
    serving.counters().timeouts.increment();
  }

  @Override
  public void drain(long graceMillis) {
    draining = true;
    if (current == null) {
      closeLater();
    } else if (current.isOver()) {
      peer.channel().close();
    }
  }

  /** Closes an idle connection as soon as no request can be on its way any more. */
  private void closeLater() {
    long idle = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - headerSince);
    if (idle >= RECENT_MILLIS) {
      closeIfIdle();
    } else {
      peer.loop().schedule(this::closeIfIdle, RECENT_MILLIS - idle, TimeUnit.MILLISECONDS);
    }
  }

  /** A request that has begun to arrive is answered, with {@code connection: close}. */
  private void closeIfIdle() {
    if (current == null && !arriving && backlog.isEmpty()) {
      peer.channel().close();
    }
  }

  @Override
  public void endStreams() {
    if (current != null && current.streaming()) {
      current.finish();
    }
  }
}
