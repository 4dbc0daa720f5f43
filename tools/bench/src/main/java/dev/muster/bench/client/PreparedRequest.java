package dev.muster.bench.client;

import io.netty.handler.codec.http2.Http2Headers;
import org.jspecify.annotations.Nullable;

/** A request that can be sent any number of times. */
public record PreparedRequest(Http2Headers headers, byte @Nullable [] body) {}
