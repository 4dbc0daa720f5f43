package dev.muster.registry.services;

import dev.muster.model.json.JsonObject;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Base64;
import java.util.random.RandomGenerator;

/**
 * The allocated node ports, in upstream's stored form: a RangeAllocation whose data is a big-endian
 * number with one bit per port. Not thread-safe.
 */
final class PortBitmap {
  private final int first;
  private final int count;
  private BigInteger bits;
  private boolean changed;

  private PortBitmap(int first, int count, BigInteger bits) {
    this.first = first;
    this.count = count;
    this.bits = bits;
  }

  static PortBitmap of(int first, int last, JsonObject allocation) {
    var data = Base64.getDecoder().decode(allocation.string("data"));
    return new PortBitmap(first, last - first + 1, new BigInteger(1, data));
  }

  /** The first and the last port. */
  String range() {
    return first + "-" + (first + count - 1);
  }

  boolean covers(int port) {
    return port >= first && port < first + count;
  }

  boolean isTaken(int port) {
    return bits.testBit(port - first);
  }

  void take(int port) {
    bits = bits.setBit(port - first);
    changed = true;
  }

  void release(int port) {
    if (covers(port) && isTaken(port)) {
      bits = bits.clearBit(port - first);
      changed = true;
    }
  }

  /**
   * A free port, or 0 when there is none. Prefers the upper part of the range; the lower part stays
   * free for requested ports.
   */
  int next(RandomGenerator random) {
    int reserved = count <= 16 ? 0 : Math.clamp(count / 32, 16, 128);
    int upper = within(reserved, count, random);
    int offset = upper >= 0 ? upper : within(0, reserved, random);
    return offset < 0 ? 0 : first + offset;
  }

  private int within(int from, int to, RandomGenerator random) {
    if (from >= to) {
      return -1;
    }
    int start = random.nextInt(from, to);
    for (int i = 0; i < to - from; i++) {
      int offset = from + (start - from + i) % (to - from);
      if (!bits.testBit(offset)) {
        return offset;
      }
    }
    return -1;
  }

  boolean changed() {
    return changed;
  }

  String data() {
    var bytes = bits.toByteArray();
    int skip = bytes.length > 1 && bytes[0] == 0 ? 1 : 0;
    return Base64.getEncoder().encodeToString(Arrays.copyOfRange(bytes, skip, bytes.length));
  }
}
