package dev.muster.server.webhook;

import dev.muster.registry.webhook.WebhookResponse;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.io.ByteArrayOutputStream;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Assembles the responses of an HTTP/1.1 connection one after the other. Only the event loop of the
 * connection uses it. Unexpected bytes close the connection, because they must not be taken for the
 * response to the next request.
 */
final class ResponseCollector extends ChannelInboundHandlerAdapter {
  private static final int SWITCHING_PROTOCOLS = 101;

  private final Consumer<Boolean> onDone;
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private @Nullable WebhookExchange exchange;
  private boolean interim;
  private int status;
  private String contentType = "";
  private boolean keepAlive;

  /**
   * @param onDone receives, after each response, whether the connection can be used again
   */
  ResponseCollector(Consumer<Boolean> onDone) {
    this.onDone = onDone;
  }

  /** Assigns the next response to that exchange. */
  void expect(ChannelHandlerContext ctx, WebhookExchange next) {
    exchange = next;
    body.reset();
    if (!ctx.channel().isActive()) {
      fail(ctx, "EOF");
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    try {
      var waiting = exchange;
      if (waiting == null) {
        ctx.close();
      } else if (message instanceof HttpObject object) {
        if (object.decoderResult().isFailure()) {
          fail(ctx, "malformed HTTP response");
        } else {
          take(ctx, waiting, object);
        }
      }
    } finally {
      ReferenceCountUtil.release(message);
    }
  }

  private void take(ChannelHandlerContext ctx, WebhookExchange waiting, HttpObject object) {
    if (object instanceof HttpResponse response) {
      status = response.status().code();
      interim = status / 100 == 1;
      if (status == SWITCHING_PROTOCOLS) {
        fail(ctx, "invalid upgrade response: status code 101");
        return;
      }
      if (!interim) {
        waiting.begin();
        var type = response.headers().get(HttpHeaderNames.CONTENT_TYPE);
        contentType = type == null ? "" : type;
        keepAlive = HttpUtil.isKeepAlive(response);
      }
    }
    if (!interim && object instanceof HttpContent content) {
      int length = content.content().readableBytes();
      if (length > waiting.mostBytes() - body.size()) {
        fail(ctx, "the answer has more than " + waiting.mostBytes() + " bytes");
        return;
      }
      for (var part : content.content().nioBuffers()) {
        var bytes = new byte[part.remaining()];
        part.get(bytes);
        body.writeBytes(bytes);
      }
      if (content instanceof LastHttpContent) {
        finish(waiting);
      }
    }
  }

  private void finish(WebhookExchange done) {
    exchange = null;
    var response = new WebhookResponse(status, contentType, body.toByteArray());
    body.reset();
    onDone.accept(keepAlive);
    done.answer().complete(response);
  }

  private void fail(ChannelHandlerContext ctx, String why) {
    var failed = exchange;
    exchange = null;
    if (failed != null) {
      failed.fail(why);
    }
    ctx.close();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    var waiting = exchange;
    fail(ctx, waiting != null && waiting.begun() ? "unexpected EOF" : "EOF");
    ctx.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    var text = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
    fail(ctx, text.contains("reset") ? "connection reset by peer" : text);
  }
}
