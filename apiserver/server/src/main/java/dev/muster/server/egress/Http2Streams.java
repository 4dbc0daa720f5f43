package dev.muster.server.egress;

import io.netty.handler.codec.http2.Http2ChannelDuplexHandler;

/**
 * Opens streams on the HTTP/2 connection of the codec before it. Only the event loop of the
 * connection uses it.
 */
final class Http2Streams extends Http2ChannelDuplexHandler {}
