package dev.muster.http.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.http.Header;
import dev.muster.http.SharedHeaders;
import dev.muster.http.connection.DateHeader;
import dev.muster.wire.Bytes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class HpackTest {
  private static ByteBuf read(Bytes block) {
    return Unpooled.wrappedBuffer(block.toArray());
  }

  @Test
  void whatIsWrittenReadsBackTheSame() throws Exception {
    var block = new Bytes(8);
    block.add(Hpack.NO_DYNAMIC_TABLE);
    Hpack.status(block, 429);
    Hpack.date(block, "now".getBytes(StandardCharsets.US_ASCII));
    Hpack.contentLength(block, 12_345_678_901L);
    Hpack.header(block, new Header("content-type", "application/json"));
    Hpack.header(block, new Header("x-long", "y".repeat(20_000)));
    Hpack.header(block, new Header("warning", "299 - \"Größe\""));
    Hpack.header(block, new Header("retry-after", "1"));
    var headers = new DefaultHttp2HeadersDecoder(true, 1 << 20).decodeHeaders(1, read(block));
    assertThat(headers.status()).hasToString("429");
    assertThat(headers.get("date")).hasToString("now");
    assertThat(headers.get("content-length")).hasToString("12345678901");
    assertThat(headers.get("content-type")).hasToString("application/json");
    assertThat(headers.get("x-long")).hasSize(20_000);
    assertThat(headers.get("retry-after")).hasToString("1");
    assertThat(headers).hasSize(7);
  }

  @Test
  void everyStatusReadsBackTheSame() throws Exception {
    for (int status = 200; status < 600; status++) {
      var block = new Bytes(8);
      Hpack.status(block, status);
      var headers = new DefaultHttp2HeadersDecoder(true, 8192).decodeHeaders(1, read(block));
      assertThat(headers.status()).hasToString(String.valueOf(status));
    }
  }

  @Test
  void everyLengthReadsBackTheSame() throws Exception {
    for (long length = 0; length >= 0; length = length * 9 + 9) {
      var block = new Bytes(8);
      Hpack.contentLength(block, length);
      var headers = new DefaultHttp2HeadersDecoder(true, 8192).decodeHeaders(1, read(block));
      assertThat(headers.get("content-length")).hasToString(String.valueOf(length));
    }
  }

  /** Whatever comes between, the header is written as it is. */
  @Test
  void aSharedHeaderIsWrittenAsAnother() {
    var types = new SharedHeaders("content-type");
    for (int i = 0; i < 2_000; i++) {
      var value = "application/json;n=" + i % 600;
      var shared = types.of(value);
      var expected = new Bytes(8);
      Hpack.header(expected, new Header("content-type", value));
      for (int again = 0; again < 2; again++) {
        var block = new Bytes(8);
        Hpack.header(block, shared);
        assertThat(block.toArray()).isEqualTo(expected.toArray());
      }
      assertThat(shared).isEqualTo(new Header("content-type", value));
    }
    assertThat(types.of("application/json;n=1")).isSameAs(types.of("application/json;n=1"));
    assertThatThrownBy(() -> Hpack.header(new Bytes(8), types.of("a\nb")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void refusesControlCharacters() {
    for (var value : new String[] {"a\r\nb: c", "a\nb", "a\0b", "a\u007fb"}) {
      assertThatThrownBy(() -> Hpack.header(new Bytes(8), new Header("x", value)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void theDateIsInTheFormOfHttp() {
    assertThat(new String(DateHeader.now(), StandardCharsets.US_ASCII))
        .matches(
            "(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \\d\\d [A-Z][a-z]{2} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT");
  }
}
