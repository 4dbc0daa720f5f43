package dev.muster.audit;

import dev.muster.wire.Bytes;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * Formats times as Kubernetes' MicroTime, such as {@code 2026-01-02T03:04:05.000600Z}. It caches
 * the text of the last second. Not thread-safe.
 */
final class MicroTime {
  private static final int MICROS = 1_000_000;

  /** The cached text, without the Z. */
  private byte[] text = new byte[0];

  private long second = Long.MIN_VALUE;

  void write(long micros, Bytes out) {
    long wanted = Math.floorDiv(micros, MICROS);
    if (wanted != second) {
      var written = Instant.ofEpochSecond(wanted).toString();
      text = written.substring(0, written.length() - 1).getBytes(StandardCharsets.US_ASCII);
      second = wanted;
    }
    out.add(text);
    out.add('.');
    int rest = Math.floorMod(micros, MICROS);
    for (int unit = MICROS / 10; unit > 0; unit /= 10) {
      out.add('0' + rest / unit % 10);
    }
    out.add('Z');
  }
}
