package dev.muster.registry.stored;

import dev.muster.wire.Bytes;
import java.util.zip.CRC32C;

/**
 * Tells JSON that this build would write again byte for byte from what others wrote: a checksum in
 * blanks behind the value, which every other reader passes over. Whoever changes a value breaks its
 * seal, and a build that reads objects in another way does not know it. Immutable.
 */
final class CanonicalChecksum {
  /**
   * Counts the forms in which objects were ever written. Objects of another form are read as if
   * somebody else had written them, so it goes up whenever defaults, conversions or the normal form
   * change.
   */
  static final int FORM = 1;

  static final int LENGTH = Integer.SIZE;

  private static final byte ZERO = ' ';
  private static final byte ONE = '\t';

  private final int form;

  CanonicalChecksum(int form) {
    this.form = form;
  }

  /** Puts a seal behind the JSON that begins there. */
  void addTo(Bytes json, int start) {
    int checksum = checksum(json.buffer(), start, json.size() - start);
    for (int i = 0; i < LENGTH; i++) {
      json.add((checksum >>> i & 1) == 0 ? ZERO : ONE);
    }
  }

  /** Whether a value has a seal that fits it. */
  boolean isOn(byte[] value) {
    int end = value.length - LENGTH;
    if (end < 1 || value[0] != '{' || value[end - 1] != '}') {
      return false;
    }
    int said = 0;
    for (int i = 0; i < LENGTH; i++) {
      byte blank = value[end + i];
      if (blank == ONE) {
        said |= 1 << i;
      } else if (blank != ZERO) {
        return false;
      }
    }
    return said == checksum(value, 0, end);
  }

  private int checksum(byte[] value, int start, int length) {
    var checksum = new CRC32C();
    checksum.update(form);
    checksum.update(value, start, length);
    return (int) checksum.getValue();
  }
}
