package dev.muster.authentication;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a client shows of itself.
 *
 * @param bearer the token of its {@code Authorization} header, or null when it sent none
 * @param certificate what its certificate is worth, or null when it sent none
 */
public record Credentials(@Nullable BearerToken bearer, @Nullable CertificateVerdict certificate) {
  private static final String WEB_SOCKET_TOKEN = "base64url.bearer.authorization.k8s.io.";

  public static final Credentials NONE = new Credentials(null, null);

  /** The token of an {@code Authorization} header, or null when it holds none. */
  public static @Nullable String bearerOf(@Nullable String authorization) {
    if (authorization == null) {
      return null;
    }
    var parts = authorization.strip().split(" ", 3);
    return parts.length < 2 || !parts[0].equalsIgnoreCase("bearer") || parts[1].isEmpty()
        ? null
        : parts[1];
  }

  /** Whether an {@code Authorization} header has more than one space before its token. */
  public static boolean isSpaced(String authorization) {
    var parts = authorization.strip().split(" ", 3);
    return parts.length == 3 && parts[0].equalsIgnoreCase("bearer") && parts[1].isEmpty();
  }

  /**
   * The token that a browser sends among the protocols of its WebSocket, because it can set no
   * headers; null when there is none. One that is malformed, or not alone, or without another
   * protocol beside it that could be answered, is a token that nobody knows.
   *
   * @param protocols the {@code Sec-WebSocket-Protocol} headers
   */
  public static @Nullable String bearerOfWebSocket(List<String> protocols) {
    String token = null;
    boolean others = false;
    for (var header : protocols) {
      for (var protocol : header.split(",")) {
        var name = protocol.strip();
        if (!name.startsWith(WEB_SOCKET_TOKEN)) {
          others |= !name.isEmpty();
        } else if (token != null) {
          return "";
        } else {
          token = decode(name.substring(WEB_SOCKET_TOKEN.length()));
        }
      }
    }
    return token == null || others ? token : "";
  }

  private static String decode(String base64) {
    try {
      var bytes = Base64.getUrlDecoder().decode(base64);
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (IllegalArgumentException | CharacterCodingException e) {
      return "";
    }
  }

  /** Never the token itself. */
  @Override
  public String toString() {
    return (bearer == null ? "no token" : "a token")
        + ", "
        + (certificate == null ? "no certificate" : "a certificate");
  }
}
