package dev.muster.openapi;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/**
 * Names the content of a document, for caches. A hash of two checksums of each piece, not of the
 * pieces themselves: with hundreds of custom resources there are tens of megabytes of them, and to
 * hash so much takes a young JVM as long as everything else that a document needs.
 */
final class ContentHash {
  private ContentHash() {}

  static String of(List<byte[]> pieces) {
    var checksums = ByteBuffer.allocate(pieces.size() * 3 * Integer.BYTES);
    var one = new CRC32();
    var other = new CRC32C();
    for (var piece : pieces) {
      one.reset();
      one.update(piece);
      other.reset();
      other.update(piece);
      checksums.putInt(piece.length).putInt((int) one.getValue()).putInt((int) other.getValue());
    }
    try {
      var digest = MessageDigest.getInstance("SHA-512").digest(checksums.array());
      return HexFormat.of().withUpperCase().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
