package dev.muster.server.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Owned by one event loop: one HTTP/1.1 connection. Requests are handled one at a time, in order;
 * what a client sends ahead waits here, and then in its socket.
 */
final class Http1Session extends ChannelInboundHandlerAdapter implements Session {
  /** So that a client which still sends reads our answer before its connection is reset. */
  private static final long LINGER_MILLIS = 500;

  private static final int MAX_FRAME = 64 * 1024;

  final Peer peer;
  final Serving serving;
  private final ArrayDeque<HttpObject> backlog = new ArrayDeque<>();
  private @Nullable Http1Exchange incoming;
  private @Nullable Http1Exchange current;
  private long headerSince = System.nanoTime();
  private boolean headerUnderWay = true;
  private boolean working;
  private boolean closing;
  private boolean draining;

  Http1Session(Peer peer, Serving serving) {
    this.peer = peer;
    this.serving = serving;
  }

  /** Called before the parser looks at new bytes. */
  void bytesArrive() {
    peer.reading(true);
    if (!headerUnderWay && incoming == null && current == null) {
      headerUnderWay = true;
      headerSince = System.nanoTime();
    }
  }

  boolean draining() {
    return draining;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (closing || !(message instanceof HttpObject object)) {
      ReferenceCountUtil.release(message);
    } else if (current != null || working) {
      backlog.add(object);
      ctx.channel().config().setAutoRead(false);
    } else {
      take(object);
    }
  }

  /** From now on, the client's bytes are frames; done when the parser is at rest. */
  void becomeWebSocket(Http1Exchange exchange) {
    peer.execute(
        () -> {
          var pipeline = peer.channel.pipeline();
          if (pipeline.get(Http1Decoder.class) != null) {
            pipeline.replace(
                Http1Decoder.class,
                "frames",
                new WebSocket13FrameDecoder(
                    WebSocketDecoderConfig.newBuilder()
                        .allowExtensions(false)
                        .maxFramePayloadLength(MAX_FRAME)
                        .build()));
            pipeline.addAfter(
                "frames", "messages", new WebSocketMessages(exchange, serving.limits().floods()));
          }
        });
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    peer.reading(false);
    ctx.flush();
  }

  private void take(HttpObject object) {
    try {
      if (object.decoderResult().isFailure()) {
        rejectMalformed(object.decoderResult().cause());
      } else {
        if (object instanceof HttpRequest request) {
          begin(request);
        }
        if (object instanceof HttpContent content && incoming != null) {
          append(incoming, content);
        }
      }
    } finally {
      ReferenceCountUtil.release(object);
    }
  }

  private void rejectMalformed(Throwable cause) {
    if (cause instanceof TooLongHttpHeaderException || cause instanceof TooLongHttpLineException) {
      reject(431, "request header fields too large");
    } else {
      reject(400, "malformed HTTP request");
    }
  }

  private void begin(HttpRequest request) {
    headerUnderWay = false;
    serving.counters().requestsHttp1.increment();
    var exchange = new Http1Exchange(this, request);
    incoming = exchange;
    var limits = serving.limits();
    var expect = exchange.header("expect");
    if (!exchange.wellFormed()) {
      reject(400, "malformed HTTP request");
    } else if (exchange.announced() > limits.maxBodyBytes()) {
      rejectTooLarge();
    } else if (expect == null) {
      exchange.expectBody(limits.maxBodyBytes());
    } else if (expect.equalsIgnoreCase("100-continue")) {
      exchange.expectBody(limits.maxBodyBytes());
      Http1Answers.sendContinue(peer.out);
      peer.flushSoon();
    } else {
      reject(417, "the expectation cannot be met");
    }
  }

  private void append(Http1Exchange exchange, HttpContent content) {
    switch (exchange.append(content.content())) {
      case TAKEN -> {
        if (content instanceof LastHttpContent) {
          incoming = null;
          current = exchange;
          exchange.bodyComplete();
        }
      }
      case TOO_LARGE -> rejectTooLarge();
      case NO_ROOM -> reject(429, "too many request bodies are arriving at a time");
    }
  }

  private void rejectTooLarge() {
    reject(413, "Request entity too large: limit is " + serving.limits().maxBodyBytes());
  }

  /** Answers what cannot be handled, and closes: the rest of the input cannot be trusted. */
  private void reject(int status, String message) {
    var exchange = incoming == null ? Http1Exchange.unreadable(this) : incoming;
    incoming = null;
    current = exchange;
    exchange.discardBody();
    exchange.closeAfter();
    exchange.linger();
    exchange.refuse(status, message);
  }

  /** The answer is handed to the connection as a whole. */
  void done(Http1Exchange exchange) {
    if (current != exchange) {
      return;
    }
    current = null;
    headerUnderWay = false;
    headerSince = System.nanoTime();
    if (exchange.closesAfter() || draining) {
      closing = true;
      dropBacklog();
      if (exchange.lingers()) {
        peer.out.flushNow();
        peer.loop.schedule(peer.out::closeWhenSent, LINGER_MILLIS, TimeUnit.MILLISECONDS);
      } else {
        peer.out.closeWhenSent();
      }
    } else {
      workOff();
    }
  }

  private void workOff() {
    if (working || backlog.isEmpty()) {
      return;
    }
    working = true;
    try {
      while (current == null && !closing) {
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
      peer.channel.config().setAutoRead(true);
    }
    peer.flushSoon();
  }

  private void dropBacklog() {
    for (var next = backlog.poll(); next != null; next = backlog.poll()) {
      ReferenceCountUtil.release(next);
    }
    peer.channel.config().setAutoRead(true);
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
    if (incoming != null) {
      incoming.discardBody();
      incoming.clientGone();
    }
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
    peer.out.flushNow();
  }

  @Override
  public void tick(long now) {
    var timeouts = serving.limits().timeouts();
    if (peer.stalled(now)) {
      timedOut();
      peer.channel.close();
    } else if (current != null && current.isTooSlow(now)) {
      timedOut();
      peer.channel.close();
    } else if (closing || current != null) {
      return;
    } else if (incoming != null) {
      if (incoming.late(now, timeouts)) {
        timedOut();
        reject(408, "the request body took too long to arrive");
      }
    } else if (headerUnderWay) {
      if (now - headerSince > timeouts.header().toNanos()) {
        timedOut();
        reject(408, "the request headers took too long to arrive");
      }
    } else if (now - headerSince > timeouts.idle().toNanos()) {
      peer.channel.close();
    }
  }

  private void timedOut() {
    serving.counters().timeouts.increment();
  }

  @Override
  public void drain(long graceMillis) {
    draining = true;
    if (current == null && incoming == null) {
      peer.channel.close();
    }
  }

  @Override
  public void endStreams() {
    if (current != null && current.streaming()) {
      current.finish();
    }
  }
}
