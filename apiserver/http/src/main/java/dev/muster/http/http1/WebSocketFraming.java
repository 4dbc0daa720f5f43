package dev.muster.http.http1;

import dev.muster.http.Header;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The server's side of RFC 6455: the opening handshake and outgoing frames.
 *
 * <p>Netty reads frames, but this class writes them, for two reasons:
 *
 * <ul>
 *   <li>Netty's encoder makes a buffer of each frame and hands it to the socket at once. Here, the
 *       header of a message precedes pieces that other watches share. They wait in the exchange
 *       until the socket has room, count as outgoing data, and are copied once.
 *   <li>Netty's handshaker answers by itself, needs the request as one object, and would echo a
 *       token that a browser sends as a protocol.
 * </ul>
 */
record WebSocketFraming(boolean text) {
  private static final String MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

  /** Browsers send their token as a protocol, which the response must not echo. */
  private static final String TOKEN_PROTOCOL = "base64url.bearer.authorization.k8s.io.";

  /** "Normal closure". */
  static final byte[] CLOSE = {(byte) 0x88, 2, 0x03, (byte) 0xe8};

  static boolean wanted(HttpMethod method, HttpHeaders headers) {
    return method.equals(HttpMethod.GET)
        && headers.contains(HttpHeaderNames.UPGRADE, "websocket", true)
        && headers.containsValue(HttpHeaderNames.CONNECTION, "upgrade", true)
        && headers.contains(HttpHeaderNames.SEC_WEBSOCKET_VERSION, "13", false)
        && headers.contains(HttpHeaderNames.SEC_WEBSOCKET_KEY);
  }

  static List<Header> answerHeaders(HttpHeaders request, List<Header> more) {
    var answer = new ArrayList<Header>();
    answer.add(new Header("upgrade", "websocket"));
    answer.add(new Header("connection", "Upgrade"));
    answer.add(
        new Header(
            "sec-websocket-accept", accept(request.get(HttpHeaderNames.SEC_WEBSOCKET_KEY, ""))));
    var protocol = protocol(request.getAll(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL));
    if (protocol != null) {
      answer.add(new Header("sec-websocket-protocol", protocol));
    }
    answer.addAll(more);
    return answer;
  }

  static @Nullable String protocol(List<String> offered) {
    for (var line : offered) {
      for (var each : line.split(",")) {
        var protocol = each.strip();
        if (!protocol.isEmpty() && !protocol.startsWith(TOKEN_PROTOCOL)) {
          return protocol;
        }
      }
    }
    return null;
  }

  private static String accept(String key) {
    try {
      var sha1 = MessageDigest.getInstance("SHA-1");
      sha1.update((key + MAGIC).getBytes(StandardCharsets.ISO_8859_1));
      return Base64.getEncoder().encodeToString(sha1.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-1", e);
    }
  }

  byte[] messageHeader(int length) {
    byte first = (byte) (text ? 0x81 : 0x82);
    if (length < 126) {
      return new byte[] {first, (byte) length};
    }
    if (length < 65536) {
      return new byte[] {first, 126, (byte) (length >> 8), (byte) length};
    }
    return new byte[] {
      first,
      127,
      0,
      0,
      0,
      0,
      (byte) (length >> 24),
      (byte) (length >> 16),
      (byte) (length >> 8),
      (byte) length
    };
  }

  static byte[] pong(byte[] payload) {
    var frame = new byte[2 + payload.length];
    frame[0] = (byte) 0x8a;
    frame[1] = (byte) payload.length;
    System.arraycopy(payload, 0, frame, 2, payload.length);
    return frame;
  }
}
