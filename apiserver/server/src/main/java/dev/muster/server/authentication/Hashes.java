package dev.muster.server.authentication;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Hashes values that metrics must not reveal. */
final class Hashes {
  private Hashes() {}

  static String of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /** The hash of the content; "" for empty content. */
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
