package dev.muster.server.http.http1;

import dev.muster.server.http.Header;
import dev.muster.server.http.HttpAnswer;
import dev.muster.server.http.connection.DateHeader;
import dev.muster.server.http.connection.HeaderText;
import dev.muster.server.http.connection.Outbound;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes HTTP/1.1 response heads and chunks. */
final class Http1Answers {
  static final byte[] LINE_END = {'\r', '\n'};
  static final byte[] LAST_CHUNK = "0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private static final byte[] CONTINUE =
      "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] OK = "HTTP/1.1 200 OK\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] DATE = "date: ".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] LENGTH = "content-length: ".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] CHUNKED =
      "transfer-encoding: chunked\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] CLOSE = "connection: close\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] KEEP =
      "connection: keep-alive\r\n".getBytes(StandardCharsets.US_ASCII);

  private Http1Answers() {}

  /** How the client finds the end of the body. */
  sealed interface Framing {
    /** By its length. */
    record Length(long bytes) implements Framing {}

    /** By a last chunk. */
    record Chunks() implements Framing {}

    /** There is no body, or it ends with the connection. */
    record None() implements Framing {}
  }

  enum Persistence {
    /** What HTTP/1.1 assumes. */
    IMPLIED,
    KEEP_ALIVE,
    CLOSE
  }

  static void sendContinue(Outbound out) {
    out.bytes(CONTINUE, 0, CONTINUE.length);
  }

  static void head(Outbound out, HttpAnswer answer, Framing framing, Persistence persistence) {
    int bound = 256;
    for (var header : answer.headers()) {
      bound += header.name().length() + 3 * header.value().length() + 4;
    }
    var buffer = out.room(bound);
    int start = buffer.writerIndex();
    try {
      statusLine(buffer, answer.status());
      buffer.writeBytes(DATE).writeBytes(DateHeader.now()).writeBytes(LINE_END);
      switch (framing) {
        case Framing.Length(long bytes) -> {
          buffer.writeBytes(LENGTH);
          HeaderText.writeDecimal(buffer, bytes);
          buffer.writeBytes(LINE_END);
        }
        case Framing.Chunks() -> buffer.writeBytes(CHUNKED);
        case Framing.None() -> {}
      }
      switch (persistence) {
        case IMPLIED -> {}
        case KEEP_ALIVE -> buffer.writeBytes(KEEP);
        case CLOSE -> buffer.writeBytes(CLOSE);
      }
      for (var header : answer.headers()) {
        HeaderText.write(buffer, header.name());
        buffer.writeByte(':').writeByte(' ');
        HeaderText.write(buffer, header.value());
        buffer.writeBytes(LINE_END);
      }
      buffer.writeBytes(LINE_END);
    } catch (RuntimeException e) {
      buffer.writerIndex(start);
      throw e;
    }
  }

  static void switchProtocols(Outbound out, List<Header> headers) {
    head(
        out,
        new HttpAnswer(101, headers, List.of(), false),
        new Framing.None(),
        Persistence.IMPLIED);
  }

  private static void statusLine(ByteBuf buffer, int status) {
    if (status == 200) {
      buffer.writeBytes(OK);
      return;
    }
    HeaderText.write(buffer, "HTTP/1.1 ");
    HeaderText.writeDecimal(buffer, status);
    buffer.writeByte(' ');
    HeaderText.write(buffer, HttpResponseStatus.valueOf(status).reasonPhrase());
    buffer.writeBytes(LINE_END);
  }

  static byte[] chunkHeader(int length) {
    return (Integer.toHexString(length) + "\r\n").getBytes(StandardCharsets.US_ASCII);
  }
}
