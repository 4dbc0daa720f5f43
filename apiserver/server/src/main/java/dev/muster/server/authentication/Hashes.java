package dev.muster.server.authentication;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** How metrics name what they must not show. */
final class Hashes {
  private Hashes() {}

  static String of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /** "" for nothing. */
  static String of(byte[] content) {
    if (content.length == 0) {
      return "";
    }
    try {
      var digest = MessageDigest.getInstance("SHA-256").digest(content);
      return "sha256:" + HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this JVM has no SHA-256", e);
    }
  }
}
