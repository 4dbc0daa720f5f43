package dev.muster.it.streams;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.spdy.SpdyHeaders;
import java.util.HashSet;
import java.util.Set;

/** The ports of a pod: whoever connects hears what he says. */
final class TestPorts extends SpdyHandler {
  private final Set<Integer> connections = new HashSet<>();

  @Override
  void opened(ChannelHandlerContext ctx, int stream, SpdyHeaders headers) {
    if ("data".contentEquals(headers.get("streamtype"))) {
      connections.add(stream);
    } else {
      say(ctx, stream, new byte[0], true);
    }
  }

  @Override
  void said(ChannelHandlerContext ctx, int stream, byte[] bytes, boolean last) {
    if (connections.contains(stream)) {
      say(ctx, stream, bytes, last);
    }
  }
}
