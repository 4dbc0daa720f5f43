package dev.muster.server.egress;

import io.netty.handler.codec.http2.Http2ChannelDuplexHandler;

/** Owned by one event loop: opens streams of the connection whose codec stands before it. */
final class Http2Streams extends Http2ChannelDuplexHandler {}
