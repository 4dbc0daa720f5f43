package dev.muster.multicluster.services;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Derives names of bounded length. */
final class ShortHash {
  private ShortHash() {}

  /**
   * Ten hexadecimal digits. The parts are separated, so that different parts never concatenate
   * equally.
   */
  static String of(String... parts) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      for (var part : parts) {
        digest.update(part.getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0);
      }
      return HexFormat.of().formatHex(digest.digest(), 0, 5);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A readable prefix and the hash, at most as long as a label. */
  static String name(String readable, String... parts) {
    return nameWithin(61, readable, parts);
  }

  /** The same with another limit; the hash needs eleven characters. */
  static String nameWithin(int most, String readable, String... parts) {
    int room = most - 11;
    var start = readable.length() > room ? readable.substring(0, room) : readable;
    return start.replaceAll("[^a-z0-9]+$", "") + "-" + of(parts);
  }
}
