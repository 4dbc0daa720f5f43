package dev.muster.multicluster.services;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Names of bounded length for things of any. */
final class ShortHash {
  private ShortHash() {}

  /** Ten hexadecimal digits. No part can be mistaken for the end of another. */
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

  /** A name that people recognise, cut where it is too long for a label. */
  static String name(String readable, String... parts) {
    return nameWithin(61, readable, parts);
  }

  /** The same with at most so many characters, of which the digits need eleven. */
  static String nameWithin(int most, String readable, String... parts) {
    int room = most - 11;
    var start = readable.length() > room ? readable.substring(0, room) : readable;
    return start.replaceAll("[^a-z0-9]+$", "") + "-" + of(parts);
  }
}
