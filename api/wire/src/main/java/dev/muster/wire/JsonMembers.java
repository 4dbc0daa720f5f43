package dev.muster.wire;

import static dev.muster.wire.JsonScanner.afterSpace;
import static dev.muster.wire.JsonScanner.afterString;
import static dev.muster.wire.JsonScanner.afterValue;
import static dev.muster.wire.JsonScanner.special;

import java.nio.charset.StandardCharsets;

/**
 * Iterates over the members of an object or the elements of an array in the bytes of JSON, under
 * the conditions of {@link JsonScanner}. Only one thread uses it.
 */
public final class JsonMembers {
  private static final int UNKNOWN = -1;

  private final byte[] json;
  private final boolean named;

  /** The position after the opening bracket, before the first value was reached. */
  private final int first;

  private int key = UNKNOWN;
  private int value = UNKNOWN;
  private int end = UNKNOWN;

  /**
   * @param start the start of the object or array; any other value has no members
   */
  public JsonMembers(byte[] json, int start) {
    this.json = json;
    boolean within = start >= 0 && start < json.length;
    this.named = within && json[start] == '{';
    this.first = named || (within && json[start] == '[') ? start + 1 : json.length;
  }

  /** Moves to the first or next member; returns false when there is none. */
  public boolean next() {
    int at = afterSpace(json, value == UNKNOWN ? first : end(), json.length);
    if (value != UNKNOWN && at < json.length && json[at] == ',') {
      at = afterSpace(json, at + 1, json.length);
    }
    key = at;
    value = at;
    end = UNKNOWN;
    if (at >= json.length || json[at] == '}' || json[at] == ']') {
      end = at;
      return false;
    }
    if (named) {
      int colon = afterSpace(json, afterString(json, at, json.length), json.length);
      value = afterSpace(json, colon + 1, json.length);
    }
    return true;
  }

  /** The key of the member. */
  public String key() {
    int quote = special(json, key + 1, json.length);
    return json[quote] == '"'
        ? new String(json, key + 1, quote - key - 1, StandardCharsets.UTF_8)
        : JsonScanner.stringAt(json, key);
  }

  /** The start of the value. */
  public int value() {
    return value;
  }

  /** The position after the value; after the last member, the position of the closing bracket. */
  public int end() {
    if (end == UNKNOWN) {
      end = afterValue(json, value, json.length);
    }
    return end;
  }

  /** Sets the end of the value, when the caller has already found it. */
  public void end(int position) {
    end = position;
  }

  /** Whether the value is an object. */
  public boolean isObject() {
    return value < json.length && json[value] == '{';
  }

  /** Whether the value is that text, which must be ASCII. */
  public boolean is(String text) {
    return JsonScanner.isText(json, value, end(), text);
  }
}
