package dev.muster.http.http1;

import dev.muster.http.Header;
import dev.muster.http.ServerResponse;
import dev.muster.http.connection.DateHeader;
import dev.muster.http.connection.HeaderText;
import dev.muster.http.connection.OutboundBuffer;
import dev.muster.wire.Bytes;
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
  private static final byte[] COLON = {':', ' '};
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
    /** The default of HTTP/1.1. */
    IMPLIED,
    KEEP_ALIVE,
    CLOSE
  }

  static void sendContinue(OutboundBuffer out) {
    out.bytes(CONTINUE, 0, CONTINUE.length);
  }

  static void head(
      OutboundBuffer out, ServerResponse answer, Framing framing, Persistence persistence) {
    var head = new Bytes(512);
    statusLine(head, answer.status());
    head.add(DATE);
    head.add(DateHeader.now());
    head.add(LINE_END);
    switch (framing) {
      case Framing.Length(long bytes) -> {
        head.add(LENGTH);
        head.addDecimal(bytes);
        head.add(LINE_END);
      }
      case Framing.Chunks() -> head.add(CHUNKED);
      case Framing.None() -> {}
    }
    switch (persistence) {
      case IMPLIED -> {}
      case KEEP_ALIVE -> head.add(KEEP);
      case CLOSE -> head.add(CLOSE);
    }
    for (var header : answer.headers()) {
      HeaderText.write(head, header.name());
      head.add(COLON);
      HeaderText.write(head, header.value());
      head.add(LINE_END);
    }
    head.add(LINE_END);
    out.bytes(head.buffer(), 0, head.size());
  }

  static void switchProtocols(OutboundBuffer out, List<Header> headers) {
    head(
        out,
        new ServerResponse(101, headers, List.of(), false),
        new Framing.None(),
        Persistence.IMPLIED);
  }

  private static void statusLine(Bytes head, int status) {
    if (status == 200) {
      head.add(OK);
      return;
    }
    head.addAscii("HTTP/1.1 ");
    head.addDecimal(status);
    head.add(' ');
    HeaderText.write(head, HttpResponseStatus.valueOf(status).reasonPhrase());
    head.add(LINE_END);
  }

  static byte[] chunkHeader(int length) {
    return (Integer.toHexString(length) + "\r\n").getBytes(StandardCharsets.US_ASCII);
  }
}
