package dev.muster.server.http.http2;

import dev.muster.server.http.Pieces;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2RemoteFlowController.FlowControlled;
import org.jspecify.annotations.Nullable;

/** Owned by one event loop: body bytes that wait for the client's flow-control window. */
final class QueuedData implements FlowControlled {
  private final Http2Exchange exchange;
  private final Pieces pieces;
  private boolean end;

  QueuedData(Http2Exchange exchange, Pieces pieces, boolean end) {
    this.exchange = exchange;
    this.pieces = pieces;
    this.end = end;
    exchange.queued(pieces.left());
  }

  @Override
  public int size() {
    return (int) Math.min(pieces.left(), Integer.MAX_VALUE);
  }

  @Override
  public void write(ChannelHandlerContext ctx, int allowedBytes) {
    int bytes = Math.min(size(), allowedBytes);
    exchange.sendData(pieces, bytes, end && bytes == pieces.left());
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
    exchange.sent(pieces.left());
  }

  @Override
  public boolean merge(ChannelHandlerContext ctx, FlowControlled next) {
    if (end || !(next instanceof QueuedData data) || data.exchange != exchange) {
      return false;
    }
    pieces.addAll(data.pieces);
    end = data.end;
    return true;
  }
}
