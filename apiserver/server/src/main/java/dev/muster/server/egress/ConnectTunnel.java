package dev.muster.server.egress;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.ReferenceCountUtil;
import java.io.ByteArrayOutputStream;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Pattern;

/**
 * Opens a tunnel through an HTTP CONNECT proxy (RFC 9110, 9.3.6). Only the event loop of the
 * connection uses it.
 */
final class ConnectTunnel extends EgressTunnel {
  private static final int MOST_BYTES = 64 * 1024;
  private static final String END = "\r\n\r\n";
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] ((\\d{3})(?: [^\\r\\n]*)?)");

  private final String proxyName;
  private final ByteArrayOutputStream head = new ByteArrayOutputStream();
  private String destination = "";
  private int endSeen;

  /**
   * @param proxyName for messages
   */
  ConnectTunnel(SocketAddress proxy, String proxyName, Duration patience) {
    super(proxy, patience);
    this.proxyName = proxyName;
  }

  @Override
  void begin(ChannelHandlerContext ctx, String wanted) {
    destination = wanted;
    var request = "CONNECT " + wanted + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
    ctx.writeAndFlush(Unpooled.wrappedBuffer(request.getBytes(StandardCharsets.US_ASCII)));
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (isOpen() || !(message instanceof ByteBuf bytes)) {
      ctx.fireChannelRead(message);
      return;
    }
    try {
      while (bytes.isReadable() && !isComplete()) {
        if (head.size() == MOST_BYTES) {
          fail(ctx, problem("the answer is too long"));
          return;
        }
        byte next = bytes.readByte();
        head.write(next);
        endSeen = next == END.charAt(endSeen) ? endSeen + 1 : next == END.charAt(0) ? 1 : 0;
      }
      if (isComplete()) {
        evaluate(ctx, bytes.readableBytes());
      }
    } finally {
      ReferenceCountUtil.release(message);
    }
  }

  private boolean isComplete() {
    return endSeen == END.length();
  }

  private void evaluate(ChannelHandlerContext ctx, int more) {
    var status = STATUS.matcher(head.toString(StandardCharsets.ISO_8859_1));
    if (!status.lookingAt()) {
      fail(ctx, problem("malformed HTTP response"));
    } else if (!status.group(2).equals("200")) {
      fail(
          ctx,
          new EgressException(
              "proxy error from %s while dialing %s, code %s: %s"
                  .formatted(proxyName, destination, status.group(2), status.group(1))));
    } else if (more > 0) {
      // The client speaks first, so these bytes can only come from the proxy.
      fail(
          ctx,
          new EgressException(
              "unexpected %d bytes of buffered data from CONNECT proxy \"%s\""
                  .formatted(more, proxyName)));
    } else {
      open(ctx);
    }
  }

  private EgressException problem(String why) {
    return new EgressException(
        "reading HTTP response from CONNECT to %s via proxy %s failed: %s"
            .formatted(destination, proxyName, why));
  }
}
