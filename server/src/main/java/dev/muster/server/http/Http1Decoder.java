package dev.muster.server.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpRequestDecoder;

/** Owned by one event loop: Netty's parser, which also tells when bytes begin to arrive. */
final class Http1Decoder extends HttpRequestDecoder {
  private final Http1Session session;

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
}
