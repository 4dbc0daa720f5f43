package dev.muster.replica.object;

import dev.muster.wire.JsonScanner;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Derives an object's stored value from its served JSON, so that it need not be kept. Most objects
 * are served as they are stored, with the resource version inserted.
 */
final class StoredValue {
  private static final byte[] KEY = "\"resourceVersion\":".getBytes(StandardCharsets.US_ASCII);

  private StoredValue() {}

  /** The position of a text in the JSON; a negative start means that it is absent. */
  private record Span(int start, int end) {
    boolean found() {
      return start >= 0;
    }
  }

  /** The inserted text: the resourceVersion member with one adjacent comma. */
  private static Span inserted(byte[] json) {
    int version = JsonScanner.find(json, "metadata", "resourceVersion");
    if (version < 0) {
      return new Span(-1, -1);
    }
    int start = version - KEY.length;
    int end = JsonScanner.afterValue(json, version, json.length);
    if (json[start - 1] == ',') {
      start--;
    } else if (json[end] == ',') {
      end++;
    }
    return new Span(start, end);
  }

  /** The JSON of an object without its resource version. */
  static byte[] of(byte[] json) {
    var inserted = inserted(json);
    if (!inserted.found()) {
      return json;
    }
    var value = new byte[json.length - (inserted.end() - inserted.start())];
    System.arraycopy(json, 0, value, 0, inserted.start());
    System.arraycopy(
        json, inserted.end(), value, inserted.start(), value.length - inserted.start());
    return value;
  }

  /** Whether {@link #of} returns that value, apart from trailing whitespace. */
  static boolean follows(byte[] value, byte[] json) {
    int length = value.length;
    while (length > 0 && " \t\n".indexOf(value[length - 1]) >= 0) {
      length--;
    }
    var inserted = inserted(json);
    return inserted.found()
        && length == json.length - (inserted.end() - inserted.start())
        && Arrays.equals(value, 0, inserted.start(), json, 0, inserted.start())
        && Arrays.equals(value, inserted.start(), length, json, inserted.end(), json.length);
  }
}
