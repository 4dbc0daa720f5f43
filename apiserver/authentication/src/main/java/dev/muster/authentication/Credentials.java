package dev.muster.authentication;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The credentials of one request.
 *
 * @param bearer the token of its {@code Authorization} header, or null when it has none
 * @param certificate the verdict on its client certificate, or null when it has none
 */
public record Credentials(@Nullable BearerToken bearer, @Nullable CertificateVerdict certificate) {
  private static final String WEB_SOCKET_TOKEN = "base64url.bearer.authorization.k8s.io.";

  public static final Credentials NONE = new Credentials(null, null);

  /** The token of an {@code Authorization} header, or null when the header holds none. */
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
   * The token that a browser sends as a WebSocket subprotocol, because it cannot set headers; null
   * when there is none. A token that is malformed, appears twice or comes without another
   * subprotocol that the server could select is returned as a token that matches no user.
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

  /** Never contains the token. */
  @Override
  public String toString() {
    return (bearer == null ? "no token" : "a token")
        + ", "
        + (certificate == null ? "no certificate" : "a certificate");
  }
}
