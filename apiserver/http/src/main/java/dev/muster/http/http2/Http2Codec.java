package dev.muster.http.http2;

import dev.muster.http.limits.HttpLimits;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.DefaultHttp2ConnectionDecoder;
import io.netty.handler.codec.http2.DefaultHttp2ConnectionEncoder;
import io.netty.handler.codec.http2.DefaultHttp2FrameReader;
import io.netty.handler.codec.http2.DefaultHttp2FrameWriter;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.DefaultHttp2RemoteFlowController;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2PromisedRequestVerifier;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.UniformStreamByteDistributor;

/** Netty's codec for one HTTP/2 connection, with every limit set explicitly. */
record Http2Codec(
    Http2ConnectionDecoder decoder,
    Http2ConnectionEncoder encoder,
    FloodGuard guard,
    Http2Settings settings) {

  private static final int STREAM_WINDOW = 256 * 1024;

  /**
   * The limit of kube-apiserver for all clients, which clients also assume before they receive the
   * settings.
   */
  private static final int STREAMS_OF_STRANGERS = 100;

  static Http2Codec of(HttpLimits limits) {
    var connection = new DefaultHttp2Connection(true, 0);
    int streams = Math.min(STREAMS_OF_STRANGERS, limits.maxStreamsPerConnection());
    // Applies from the start, also to a client that never acknowledges the settings.
    connection.remote().maxActiveStreams(streams);
    connection
        .remote()
        .flowController(
            new DefaultHttp2RemoteFlowController(
                connection, new UniformStreamByteDistributor(connection)));
    var encoder =
        new DefaultHttp2ConnectionEncoder(
            connection, new DefaultHttp2FrameWriter(new NoHeadersEncoder()));
    var headers = new DefaultHttp2HeadersDecoder(true, limits.maxHeaderBytes());
    var guard =
        new FloodGuard(
            new DefaultHttp2FrameReader(headers, limits.floods().smallContinuations()),
            limits.floods());
    var decoder =
        new DefaultHttp2ConnectionDecoder(
            connection,
            encoder,
            guard,
            Http2PromisedRequestVerifier.ALWAYS_VERIFY,
            /* autoAckSettings= */ true,
            /* autoAckPing= */ true,
            /* validateHeaders= */ true,
            /* validateRequiredPseudoHeaders= */ true);
    var settings =
        new Http2Settings()
            .maxConcurrentStreams(streams)
            .initialWindowSize(STREAM_WINDOW)
            .maxHeaderListSize(limits.maxHeaderBytes());
    return new Http2Codec(decoder, encoder, guard, settings);
  }
}
