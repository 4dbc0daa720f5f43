package dev.muster.http.compression;

import java.util.Arrays;
import java.util.function.Consumer;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** One gzip stream. One thread at a time uses it. */
final class Gzip implements AutoCloseable {
  /** Approximate memory of the compressor outside the heap. */
  static final int MEMORY = 256 * 1024;

  private static final int CHUNK = 64 * 1024;
  private static final byte[] MAGIC = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 4, (byte) 255};

  private final CRC32 crc = new CRC32();
  private final Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);
  private byte[] chunk = new byte[CHUNK];
  private int filled;
  private long length;

  Gzip() {
    System.arraycopy(MAGIC, 0, chunk, 0, MAGIC.length);
    filled = MAGIC.length;
  }

  /** Compresses some bytes; the output follows in chunks, now or later. */
  void add(byte[] array, int offset, int size, Consumer<byte[]> out) {
    crc.update(array, offset, size);
    length += size;
    deflater.setInput(array, offset, size);
    while (!deflater.needsInput()) {
      deflate(out);
    }
  }

  /** Writes the rest of the output. */
  void finish(Consumer<byte[]> out) {
    deflater.finish();
    while (!deflater.finished()) {
      deflate(out);
    }
    out.accept(Arrays.copyOf(chunk, filled));
    out.accept(trailer(crc.getValue(), length));
  }

  private void deflate(Consumer<byte[]> out) {
    filled += deflater.deflate(chunk, filled, CHUNK - filled);
    if (filled == CHUNK) {
      out.accept(chunk);
      chunk = new byte[CHUNK];
      filled = 0;
    }
  }

  private static byte[] trailer(long crc, long length) {
    var trailer = new byte[8];
    for (int i = 0; i < 4; i++) {
      trailer[i] = (byte) (crc >>> (8 * i));
      trailer[4 + i] = (byte) (length >>> (8 * i));
    }
    return trailer;
  }

  @Override
  public void close() {
    deflater.end();
  }
}
