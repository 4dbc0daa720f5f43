package dev.muster.wire;

import static dev.muster.wire.JsonScanner.afterSpace;
import static dev.muster.wire.JsonScanner.afterString;
import static dev.muster.wire.JsonScanner.afterValue;
import static dev.muster.wire.JsonScanner.special;

import java.nio.charset.StandardCharsets;

/**
 * Steps through the members of an object, or the elements of an array, in the bytes of JSON that
 * {@link JsonScanner} takes. Used by one thread.
 */
public final class JsonMembers {
  private static final int UNKNOWN = -1;

  private final byte[] json;
  private final boolean named;

  /** Behind the opening bracket, before a value was come to. */
  private final int first;

  private int key = UNKNOWN;
  private int value = UNKNOWN;
  private int end = UNKNOWN;

  /**
   * @param start where the object or array begins; what is neither has no members
   */
  public JsonMembers(byte[] json, int start) {
    this.json = json;
    boolean within = start >= 0 && start < json.length;
    this.named = within && json[start] == '{';
    this.first = named || (within && json[start] == '[') ? start + 1 : json.length;
  }

  /** Goes to the first or the next member, if there is one. */
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

  /** Where the value begins. */
  public int value() {
    return value;
  }

  /** The position behind the value; after the last member, that of the closing bracket. */
  public int end() {
    if (end == UNKNOWN) {
      end = afterValue(json, value, json.length);
    }
    return end;
  }

  /** Tells where the value ends, by whoever has been there. */
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
