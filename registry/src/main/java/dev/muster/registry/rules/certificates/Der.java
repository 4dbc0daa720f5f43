package dev.muster.registry.rules.certificates;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A value in DER (X.690), as far as a signed request needs it: tags of one byte, known lengths.
 *
 * @param encoded the value with its tag and length
 * @param content the value without them
 */
record Der(int tag, byte[] encoded, byte[] content) {
  static final int SEQUENCE = 0x30;
  static final int BIT_STRING = 0x03;
  static final int OBJECT_IDENTIFIER = 0x06;
  private static final int MOST_LENGTH_BYTES = 4;

  /** Bytes that are not what they should be. */
  static final class MalformedException extends Exception {
    private static final long serialVersionUID = 1;

    MalformedException(String message) {
      super(message);
    }
  }

  /** The only value in these bytes. */
  static Der one(byte[] bytes) throws MalformedException {
    var values = all(bytes, 1);
    if (values.isEmpty()) {
      throw new MalformedException("asn1: syntax error: sequence truncated");
    }
    if (values.getFirst().encoded().length < bytes.length) {
      throw new MalformedException("asn1: syntax error: trailing data");
    }
    return values.getFirst();
  }

  /** The values of a sequence. */
  List<Der> parts() throws MalformedException {
    return all(content, Integer.MAX_VALUE);
  }

  private static List<Der> all(byte[] bytes, int most) throws MalformedException {
    var found = new ArrayList<Der>();
    int at = 0;
    while (at < bytes.length && found.size() < most) {
      int start = at + 2;
      if (start > bytes.length) {
        throw truncated();
      }
      long length = bytes[at + 1] & 0xff;
      if (length > 0x7f) {
        int count = (int) length & 0x7f;
        if (count == 0 || count > MOST_LENGTH_BYTES) {
          throw new MalformedException("asn1: structure error: length too large");
        }
        length = 0;
        for (int i = 0; i < count; i++, start++) {
          if (start >= bytes.length) {
            throw truncated();
          }
          length = length << 8 | (bytes[start] & 0xff);
        }
      }
      if (length > bytes.length - start) {
        throw truncated();
      }
      int end = start + (int) length;
      found.add(
          new Der(
              bytes[at] & 0xff,
              Arrays.copyOfRange(bytes, at, end),
              Arrays.copyOfRange(bytes, start, end)));
      at = end;
    }
    return found;
  }

  private static MalformedException truncated() {
    return new MalformedException("asn1: syntax error: data truncated");
  }

  /** The dotted form of an object identifier. */
  String identifier() {
    var text = new StringBuilder();
    long number = 0;
    for (byte part : content) {
      number = number << 7 | (part & 0x7f);
      if (part < 0) {
        continue;
      }
      if (text.isEmpty()) {
        long first = Math.min(number / 40, 2);
        text.append(first).append('.').append(number - first * 40);
      } else {
        text.append('.').append(number);
      }
      number = 0;
    }
    return text.toString();
  }
}
