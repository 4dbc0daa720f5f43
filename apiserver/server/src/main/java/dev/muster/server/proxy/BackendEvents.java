package dev.muster.server.proxy;

import dev.muster.http.Header;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Passes a backend's response from the event loop of its connection to the thread that waits for
 * it. It reads from the socket only when that thread asks for more.
 */
final class BackendEvents extends ChannelInboundHandlerAdapter {
  private sealed interface Event {
    record Head(BackendResponse response) implements Event {}

    record Piece(byte[] bytes) implements Event {}

    record End() implements Event {}

    record Failure(String text) implements Event {}
  }

  private static final int SWITCHING_PROTOCOLS = 101;

  private final BlockingQueue<Event> queue = new LinkedBlockingQueue<>();
  private volatile boolean wanted;
  private volatile boolean upgradeAllowed;
  private volatile long usedAt = System.nanoTime();
  private boolean switched;
  private boolean begun;
  private boolean interim;

  /** Sets whether the backend may switch protocols, because the caller has requested it. */
  void allowUpgrade(boolean allowed) {
    upgradeAllowed = allowed;
  }

  /** Records traffic in the other direction, so that the connection does not count as idle. */
  void noteUse() {
    usedAt = System.nanoTime();
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    if (!ctx.channel().isActive()) {
      channelInactive(ctx);
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    try {
      if (switched && message instanceof ByteBuf bytes) {
        piece(bytes);
      } else if (message instanceof HttpObject object) {
        if (object.decoderResult().isFailure()) {
          fail(ctx, "malformed HTTP response");
        } else {
          take(ctx, object);
        }
      }
    } finally {
      ReferenceCountUtil.release(message);
    }
  }

  private void take(ChannelHandlerContext ctx, HttpObject object) {
    if (object instanceof HttpResponse response) {
      int status = response.status().code();
      interim = status / 100 == 1;
      if (status == SWITCHING_PROTOCOLS && upgradeAllowed) {
        begun = true;
        switched = true;
        ctx.pipeline().get(HttpClientCodec.class).prepareUpgradeFrom(ctx);
        add(new Event.Head(head(response)));
      } else if (status == SWITCHING_PROTOCOLS) {
        // The request did not ask for another protocol, so the bytes that follow would not be HTTP.
        fail(ctx, "invalid upgrade response: status code 101");
      } else if (!interim) {
        begun = true;
        add(new Event.Head(head(response)));
      }
    }
    if (!interim && object instanceof HttpContent content) {
      piece(content.content());
      if (content instanceof LastHttpContent) {
        add(new Event.End());
        ctx.close();
      }
    }
  }

  private void piece(ByteBuf content) {
    if (content.isReadable()) {
      var bytes = new byte[content.readableBytes()];
      content.readBytes(bytes);
      add(new Event.Piece(bytes));
    }
  }

  private static BackendResponse head(HttpResponse response) {
    var headers = new ArrayList<Header>();
    for (var header : response.headers()) {
      headers.add(new Header(header.getKey().toLowerCase(Locale.ROOT), header.getValue()));
    }
    return new BackendResponse(response.status().code(), headers);
  }

  private void fail(ChannelHandlerContext ctx, String text) {
    add(new Event.Failure(text));
    ctx.close();
  }

  private void add(Event event) {
    wanted = false;
    queue.add(event);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    if (wanted) {
      ctx.read();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    add(switched ? new Event.End() : new Event.Failure(begun ? "unexpected EOF" : "EOF"));
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    var text = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
    fail(ctx, text.contains("reset") ? "connection reset by peer" : text);
  }

  /** The head of the response. */
  BackendResponse head(Channel channel, Duration patience) throws BackendException {
    return switch (await(channel, patience)) {
      case Event.Head(var response) -> response;
      case Event.Failure(var text) -> throw new BackendException(text);
      case null -> throw new BackendException("net/http: timeout awaiting response headers");
      case Event.Piece ignored -> throw new IllegalStateException("a body without a head");
      case Event.End ignored -> throw new IllegalStateException("an end without a head");
    };
  }

  /** The next piece of the body; null at its end. */
  byte @Nullable [] piece(Channel channel, Duration patience) throws BackendException {
    return switch (await(channel, patience)) {
      case Event.Piece(var bytes) -> bytes;
      case Event.End ignored -> null;
      case Event.Failure(var text) -> throw new BackendException(text);
      case null -> throw new BackendException("i/o timeout");
      case Event.Head ignored -> throw new IllegalStateException("a second head");
    };
  }

  /**
   * The next event. If it takes too long without traffic in the other direction, it is null and the
   * connection is closed.
   */
  private @Nullable Event await(Channel channel, Duration patience) throws BackendException {
    var ready = queue.poll();
    if (ready != null) {
      return ready;
    }
    wanted = true;
    channel.read();
    try {
      long left = patience.toNanos();
      while (left > 0) {
        var event = queue.poll(left, TimeUnit.NANOSECONDS);
        if (event != null) {
          return event;
        }
        left = patience.toNanos() - (System.nanoTime() - usedAt);
      }
      channel.close();
      return null;
    } catch (InterruptedException e) {
      channel.close();
      Thread.currentThread().interrupt();
      throw new BackendException("the server is stopping");
    }
  }
}
