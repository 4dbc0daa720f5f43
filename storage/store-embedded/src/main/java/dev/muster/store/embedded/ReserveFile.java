package dev.muster.store.embedded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that reserves disk space. Other processes cannot take this space; when the disk is full,
 * the store deletes the file and uses the space for deletes. The file has random content, because
 * some file systems store zeros without using space. Only the committer thread uses it.
 */
final class ReserveFile {
  static final String NAME = "RESERVE";
  private static final int PIECE = 1 << 20;
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedStore.class);

  private final Path file;
  private final long wanted;
  private final Random noise = new Random();
  private long length;

  ReserveFile(Path folder, long wanted) {
    this.file = folder.resolve(NAME);
    this.wanted = wanted;
    this.length = file.toFile().length();
  }

  boolean isWhole() {
    return length >= wanted;
  }

  boolean isEmpty() {
    return length == 0;
  }

  long missing() {
    return Math.max(0, wanted - length);
  }

  /** Adds a piece, small enough to delay no commit; returns false when that is not possible now. */
  boolean grow() {
    var piece = new byte[(int) Math.min(PIECE, missing())];
    noise.nextBytes(piece);
    try (var channel =
        Files.newByteChannel(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      var bytes = ByteBuffer.wrap(piece);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      length += piece.length;
      return true;
    } catch (IOException e) {
      LOG.warn("no space can be kept back in {}: {}", file, e.toString());
      release();
      return false;
    }
  }

  /** Deletes the file and so frees its space. */
  void release() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      LOG.warn("{} cannot be deleted", file, e);
    }
    length = file.toFile().length();
  }
}
