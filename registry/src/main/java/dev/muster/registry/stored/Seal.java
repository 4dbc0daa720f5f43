package dev.muster.registry.stored;

import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Tells values that this build would write again byte for byte from those that others wrote. It is
 * a checksum behind the value, in a form that every other reader passes over: blanks behind JSON, a
 * field without a meaning behind protobuf. Whoever changes a value breaks it, and a build that
 * reads objects in another way does not know it. Immutable.
 */
final class Seal {
  /**
   * Counts the forms in which objects were ever written. Objects of another form are read as if
   * somebody else had written them, so it goes up whenever defaults, conversions or the normal form
   * change.
   */
  static final int FORM = 1;

  private static final int BITS = Integer.SIZE;
  private static final byte ZERO = ' ';
  private static final byte ONE = '\t';

  /** Field 15 of four bytes; the envelope has four fields. */
  private static final byte TAG = 15 << 3 | 5;

  private static final int FIELD = 1 + Integer.BYTES;

  private final int form;

  Seal(int form) {
    this.form = form;
  }

  /** The value with a seal behind it. */
  byte[] on(byte[] value) {
    int checksum = checksum(value, value.length);
    boolean json = value[0] == '{';
    var sealed = Arrays.copyOf(value, value.length + (json ? BITS : FIELD));
    if (json) {
      for (int i = 0; i < BITS; i++) {
        sealed[value.length + i] = (checksum >>> i & 1) == 0 ? ZERO : ONE;
      }
    } else {
      sealed[value.length] = TAG;
      for (int i = 0; i < Integer.BYTES; i++) {
        sealed[value.length + 1 + i] = (byte) (checksum >>> i * Byte.SIZE);
      }
    }
    return sealed;
  }

  /** Whether a value has a seal that fits it. */
  boolean isOn(byte[] value) {
    if (value.length <= BITS) {
      return false;
    }
    return value[0] == '{' ? isBehindJson(value) : isBehindProtobuf(value);
  }

  private boolean isBehindJson(byte[] value) {
    int end = value.length - BITS;
    if (value[end - 1] != '}') {
      return false;
    }
    int said = 0;
    for (int i = 0; i < BITS; i++) {
      switch (value[end + i]) {
        case ZERO -> {}
        case ONE -> said |= 1 << i;
        default -> {
          return false;
        }
      }
    }
    return said == checksum(value, end);
  }

  private boolean isBehindProtobuf(byte[] value) {
    int end = value.length - FIELD;
    if (value[end] != TAG) {
      return false;
    }
    int said = 0;
    for (int i = 0; i < Integer.BYTES; i++) {
      said |= (value[end + 1 + i] & 0xff) << i * Byte.SIZE;
    }
    return said == checksum(value, end);
  }

  private int checksum(byte[] value, int length) {
    var checksum = new CRC32C();
    checksum.update(form);
    checksum.update(value, 0, length);
    return (int) checksum.getValue();
  }
}
