package dev.muster.registry.stored;

import dev.muster.wire.Bytes;
import java.util.zip.CRC32C;

/**
 * Marks stored JSON that is in this build's canonical form, so that it need not be converted and
 * normalized again. The mark is a checksum written as blanks behind the value, which all other
 * readers ignore. A changed value no longer matches its checksum, and a build with another
 * canonical form does not recognize it. Immutable.
 */
final class CanonicalChecksum {
  /**
   * The version of the canonical form. It increases whenever defaults, conversions or the canonical
   * form change; objects of another version are read like those of other servers.
   */
  static final int FORM = 1;

  static final int LENGTH = Integer.SIZE;

  private static final byte ZERO = ' ';
  private static final byte ONE = '\t';

  private final int form;

  CanonicalChecksum(int form) {
    this.form = form;
  }

  /** Appends the checksum to the JSON that begins there. */
  void addTo(Bytes json, int start) {
    int checksum = checksum(json.buffer(), start, json.size() - start);
    for (int i = 0; i < LENGTH; i++) {
      json.add((checksum >>> i & 1) == 0 ? ZERO : ONE);
    }
  }

  /** Whether a value ends with a matching checksum. */
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
