package dev.muster.http.http2;

import dev.muster.http.SharedBytes;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2RemoteFlowController.FlowControlled;
import org.jspecify.annotations.Nullable;

/**
 * Body bytes that wait for the client's flow-control window. Only the event loop of the connection
 * uses it.
 */
final class QueuedData implements FlowControlled {
  private final Http2Exchange exchange;
  private final SharedBytes sharedBytes;
  private boolean end;

  QueuedData(Http2Exchange exchange, SharedBytes sharedBytes, boolean end) {
    this.exchange = exchange;
    this.sharedBytes = sharedBytes;
    this.end = end;
    exchange.queued(sharedBytes.left());
  }

  @Override
  public int size() {
    return (int) Math.min(sharedBytes.left(), Integer.MAX_VALUE);
  }

  @Override
  public void write(ChannelHandlerContext ctx, int allowedBytes) {
    int bytes = Math.min(size(), allowedBytes);
    exchange.sendData(sharedBytes, bytes, end && bytes == sharedBytes.left());
    exchange.sent(bytes);
  }

  @Override
  public void writeComplete() {
    if (end) {
      exchange.endSent();
    }
  }

  @Override
  public void error(@Nullable ChannelHandlerContext ctx, Throwable cause) {
    exchange.sent(sharedBytes.left());
  }

  @Override
  public boolean merge(ChannelHandlerContext ctx, FlowControlled next) {
    if (end || !(next instanceof QueuedData data) || data.exchange != exchange) {
      return false;
    }
    sharedBytes.addAll(data.sharedBytes);
    end = data.end;
    return true;
  }
}
