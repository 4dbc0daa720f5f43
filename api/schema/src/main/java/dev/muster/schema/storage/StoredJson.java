package dev.muster.schema.storage;

import dev.muster.schema.storage.StorageCodec.Decoded;
import dev.muster.wire.DecodeException;
import dev.muster.wire.JsonScanner;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the metadata in the bytes of a stored object and inserts the resourceVersion, without
 * building a tree. It understands compact JSON as encoders write it. For other input it gives up,
 * and the caller parses a tree. One thread uses it once.
 */
final class StoredJson {
  private static final byte[] INSERTION =
      "\"resourceVersion\":\"".getBytes(StandardCharsets.US_ASCII);

  private final byte[] value;
  private final int end;
  private int at;

  private String name = "";
  private String namespace = "";
  private String uid = "";
  private Map<String, String> labels = Map.of();

  /** The position for the resourceVersion, and whether a comma precedes or follows it. */
  private int insertion = -1;

  private boolean commaBefore;
  private boolean commaAfter;

  private StoredJson(byte[] value, int end) {
    this.value = value;
    this.end = end;
  }

  /** The object with its resourceVersion, or null when the caller must parse a tree. */
  static @Nullable Decoded read(byte[] value, long revision) {
    int end = value.length;
    while (end > 0 && value[end - 1] <= ' ') {
      end--;
    }
    if (end < 2 || value[0] != '{' || value[end - 1] != '}') {
      return null;
    }
    var object = new StoredJson(value, end);
    try {
      object.root();
    } catch (DecodeException unfamiliar) {
      return null;
    }
    return object.insertion < 0 ? null : object.decoded(revision);
  }

  private Decoded decoded(long revision) {
    var digits = Long.toString(revision);
    int extra = INSERTION.length + digits.length() + 1 + (commaBefore || commaAfter ? 1 : 0);
    var json = new byte[end + extra];
    System.arraycopy(value, 0, json, 0, insertion);
    int to = insertion;
    if (commaBefore) {
      json[to++] = ',';
    }
    System.arraycopy(INSERTION, 0, json, to, INSERTION.length);
    to += INSERTION.length;
    for (int i = 0; i < digits.length(); i++) {
      json[to++] = (byte) digits.charAt(i);
    }
    json[to++] = '"';
    if (commaAfter) {
      json[to++] = ',';
    }
    System.arraycopy(value, insertion, json, to, end - insertion);
    return new Decoded(json, namespace, name, uid, labels, false);
  }

  private void root() {
    at = 1;
    while (insertion < 0) {
      int key = key();
      if (is(key, "metadata")) {
        metadata();
      } else {
        skip();
      }
      if (!more('}')) {
        return;
      }
    }
  }

  private void metadata() {
    expect('{');
    if (at < end && value[at] == '}') {
      insertion = at++;
      return;
    }
    int start = at;
    while (true) {
      int key = key();
      boolean before = true;
      if (is(key, "name")) {
        name = text();
      } else if (is(key, "namespace")) {
        namespace = text();
      } else if (is(key, "uid")) {
        uid = text();
      } else if (is(key, "resourceVersion")) {
        throw unfamiliar();
      } else if (is(key, "labels")) {
        labels = labels();
        before = false;
      } else {
        before = is(key, "generateName") || is(key, "selfLink");
        skip();
      }
      if (before) {
        insertion = at;
        commaBefore = true;
      }
      if (!more('}')) {
        break;
      }
    }
    if (insertion < 0) {
      insertion = start;
      commaAfter = true;
    }
  }

  private Map<String, String> labels() {
    expect('{');
    var found = new LinkedHashMap<String, String>();
    if (at < end && value[at] == '}') {
      at++;
      return found;
    }
    do {
      var label = text();
      expect(':');
      found.put(label, text());
    } while (more('}'));
    return found;
  }

  /** Reads a key and its colon; returns the start of the key. */
  private int key() {
    int start = at + 1;
    skipText();
    expect(':');
    return start;
  }

  private boolean is(int key, String wanted) {
    int behind = key + wanted.length();
    return behind < end && value[behind] == '"' && JsonScanner.isText(value, key, behind, wanted);
  }

  private void expect(char wanted) {
    if (at >= end || value[at] != wanted) {
      throw unfamiliar();
    }
    at++;
  }

  /** Whether another member follows; otherwise reads the closing bracket. */
  private boolean more(char closing) {
    if (at < end && value[at] == ',') {
      at++;
      return true;
    }
    expect(closing);
    return false;
  }

  /** A text without escapes. */
  private String text() {
    expect('"');
    int start = at;
    int quote = JsonScanner.special(value, start, end);
    if (quote == end || value[quote] != '"') {
      throw unfamiliar();
    }
    at = quote + 1;
    return new String(value, start, quote - start, StandardCharsets.UTF_8);
  }

  private void skipText() {
    if (at >= end || value[at] != '"') {
      throw unfamiliar();
    }
    at = JsonScanner.afterString(value, at, end);
  }

  private void skip() {
    at = JsonScanner.afterCompactValue(value, at, end);
  }

  private static DecodeException unfamiliar() {
    return new DecodeException("only a tree will do");
  }
}
