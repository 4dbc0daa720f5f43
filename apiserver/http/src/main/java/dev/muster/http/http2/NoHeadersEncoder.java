package dev.muster.http.http2;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersEncoder;

/**
 * A placeholder for the headers encoder that Netty requires; {@link Http2Answers} writes all header
 * blocks.
 */
final class NoHeadersEncoder implements Http2HeadersEncoder, Http2HeadersEncoder.Configuration {
  private long maxHeaderListSize = Long.MAX_VALUE;
  private long maxHeaderTableSize = Http2CodecUtil.DEFAULT_HEADER_TABLE_SIZE;

  @Override
  public void encodeHeaders(int streamId, Http2Headers headers, ByteBuf buffer) {
    throw new UnsupportedOperationException("headers are written by Http2Answers");
  }

  @Override
  public Configuration configuration() {
    return this;
  }

  @Override
  public void maxHeaderTableSize(long max) {
    maxHeaderTableSize = max;
  }

  @Override
  public long maxHeaderTableSize() {
    return maxHeaderTableSize;
  }

  @Override
  public void maxHeaderListSize(long max) {
    maxHeaderListSize = max;
  }

  @Override
  public long maxHeaderListSize() {
    return maxHeaderListSize;
  }
}
