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
 * Owned by the committer's thread: a file that only takes space. Whoever else fills the disk cannot
 * take it; when the disk is full, the file goes, and what it took is there for deletes. Filled with
 * noise, because some file systems store zeros in no space at all.
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

  /** Adds a piece, so small that nobody waits for it; false when that cannot be done now. */
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

  /** Gives its space to the disk. */
  void release() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      LOG.warn("{} cannot be deleted", file, e);
    }
    length = file.toFile().length();
  }
}
