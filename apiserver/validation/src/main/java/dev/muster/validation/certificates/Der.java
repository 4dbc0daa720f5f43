package dev.muster.validation.certificates;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A DER value (X.690), limited to what certificate requests need: single-byte tags and definite
 * lengths.
 *
 * @param encoded the value with its tag and length
 * @param content the value without them
 */
record Der(int tag, byte[] encoded, byte[] content) {
  static final int SEQUENCE = 0x30;
  static final int BIT_STRING = 0x03;
  static final int OBJECT_IDENTIFIER = 0x06;
  private static final int MOST_LENGTH_BYTES = 4;
  private static final String DEFAULT_PARAMETERS =
      "{optional:false explicit:false application:false private:false defaultValue:<nil> tag:<nil>"
          + " stringType:0 timeType:0 set:false omitEmpty:false}";

  /** The bytes are not valid DER. */
  static final class MalformedException extends Exception {
    private static final long serialVersionUID = 1;

    MalformedException(String message) {
      super(message);
    }
  }

  /**
   * Parses bytes as a sequence.
   *
   * @param name the Go name of the sequence in messages
   */
  static Der sequence(byte[] bytes, String name) throws MalformedException {
    if (bytes.length == 0) {
      throw new MalformedException("asn1: syntax error: sequence truncated");
    }
    var header = Header.at(bytes, 0);
    if (header.tag() != SEQUENCE) {
      throw new MalformedException(
          "asn1: structure error: tags don't match (16 vs %s) %s %s @%d"
              .formatted(header.inGo(), DEFAULT_PARAMETERS, name, header.start()));
    }
    var value = of(bytes, 0, header);
    if (value.encoded().length < bytes.length) {
      throw new MalformedException("asn1: syntax error: trailing data");
    }
    return value;
  }

  /** The values of a sequence. */
  List<Der> parts() throws MalformedException {
    var found = new ArrayList<Der>();
    int at = 0;
    while (at < content.length) {
      var part = of(content, at, Header.at(content, at));
      found.add(part);
      at += part.encoded().length;
    }
    return found;
  }

  private static Der of(byte[] bytes, int at, Header header) throws MalformedException {
    if (header.length() > bytes.length - header.start()) {
      throw new MalformedException("asn1: syntax error: data truncated");
    }
    int end = header.start() + (int) header.length();
    return new Der(
        header.tag(),
        Arrays.copyOfRange(bytes, at, end),
        Arrays.copyOfRange(bytes, header.start(), end));
  }

  /**
   * The tag and length before a value.
   *
   * @param start where the value starts
   */
  private record Header(int tag, long length, int start) {
    static Header at(byte[] bytes, int at) throws MalformedException {
      int start = at + 2;
      if (start > bytes.length) {
        throw new MalformedException("asn1: syntax error: truncated tag or length");
      }
      long length = bytes[at + 1] & 0xff;
      if (length > 0x7f) {
        int count = (int) length & 0x7f;
        if (count == 0) {
          throw new MalformedException("asn1: syntax error: indefinite length found (not DER)");
        }
        if (count > MOST_LENGTH_BYTES) {
          throw new MalformedException("asn1: structure error: length too large");
        }
        if (count > bytes.length - start) {
          throw new MalformedException("asn1: syntax error: truncated tag or length");
        }
        length = 0;
        for (int i = 0; i < count; i++, start++) {
          length = length << 8 | (bytes[start] & 0xff);
        }
      }
      return new Header(bytes[at] & 0xff, length, start);
    }

    String inGo() {
      return "{class:%d tag:%d length:%d isCompound:%b}"
          .formatted(tag >> 6, tag & 0x1f, length, (tag & 0x20) != 0);
    }
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
