package dev.muster.http.http1;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.List;

/**
 * Extends Netty's HTTP/1.1 parser. Only the event loop of the connection uses it. It reports when
 * bytes begin to arrive, and rejects headers that are folded over several lines. Folding is
 * obsolete (RFC 9112, 5.2), and parsers that handle it differently read two different requests
 * (request smuggling).
 */
final class Http1Decoder extends HttpRequestDecoder {
  private final Http1Session session;
  private boolean inHead = true;
  private boolean inHeaders;
  private boolean broken;

  Http1Decoder(Http1Session session, int maxHeaderBytes) {
    super(
        new HttpDecoderConfig()
            .setMaxInitialLineLength(maxHeaderBytes)
            .setMaxHeaderSize(maxHeaderBytes)
            .setMaxChunkSize(64 * 1024));
    this.session = session;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
    session.bytesArrive();
    super.channelRead(ctx, message);
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
    if (broken) {
      in.skipBytes(in.readableBytes());
      return;
    }
    int before = out.size();
    if (inHead) {
      int line = inHeaders ? in.readerIndex() : requestLine(in);
      if (folds(in, inHeaders ? line : next(in, line))) {
        broken = true;
        out.add(unreadable());
        return;
      }
      super.decode(ctx, in, out);
      // Netty consumes whole lines, so unread bytes always begin with a new line.
      inHeaders |= in.readerIndex() > line;
    } else {
      super.decode(ctx, in, out);
    }
    for (int i = before; i < out.size(); i++) {
      var message = out.get(i);
      if (message instanceof HttpRequest) {
        inHead = false;
        inHeaders = false;
      }
      if (message instanceof LastHttpContent) {
        inHead = true;
      }
    }
  }

  private static HttpRequest unreadable() {
    var request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
    request.setDecoderResult(
        DecoderResult.failure(new IllegalArgumentException("a header goes on in the next line")));
    return request;
  }

  /** The start of the request line, after the characters that Netty skips. */
  private static int requestLine(ByteBuf in) {
    int at = in.readerIndex();
    while (at < in.writerIndex() && isSkipped(in.getUnsignedByte(at))) {
      at++;
    }
    return at;
  }

  private static boolean isSkipped(int character) {
    return Character.isISOControl(character) || Character.isWhitespace(character);
  }

  /** Whether a header line from there on begins with white space. */
  private static boolean folds(ByteBuf in, int firstLine) {
    for (int line = firstLine; line < in.writerIndex(); line = next(in, line)) {
      switch (in.getByte(line)) {
        case ' ', '\t' -> {
          return true;
        }
        case '\r', '\n' -> {
          return false;
        }
        default -> {}
      }
    }
    return false;
  }

  private static int next(ByteBuf in, int from) {
    int feed = in.indexOf(from, in.writerIndex(), (byte) '\n');
    return feed < 0 ? in.writerIndex() : feed + 1;
  }
}
