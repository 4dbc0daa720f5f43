package dev.muster.server.http;

import io.netty.channel.ChannelPipeline;

/** Puts the handlers of a protocol behind those that are there already. */
final class Protocols {
  private Protocols() {}

  static void http2(ChannelPipeline pipeline, Peer peer, Serving serving) {
    var session = new Http2Session(peer, serving);
    peer.session(session);
    pipeline.addLast(peer.out, session);
  }

  static void http1(ChannelPipeline pipeline, Peer peer, Serving serving) {
    var session = new Http1Session(peer, serving);
    peer.session(session);
    pipeline.addLast(
        peer.out, new Http1Decoder(session, serving.limits().maxHeaderBytes()), session);
  }
}
