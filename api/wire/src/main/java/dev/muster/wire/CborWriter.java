package dev.muster.wire;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonDecimal;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;

/**
 * Writes CBOR (RFC 8949) like kube-apiserver: the self-described tag, texts and keys as byte
 * strings, keys in the order of their encodings, and floats in their shortest form.
 */
public final class CborWriter {
  private static final Comparator<byte[]> ENCODED_ORDER =
      Comparator.<byte[]>comparingInt(key -> key.length).thenComparing(Arrays::compareUnsigned);

  private final Bytes out;

  private CborWriter(Bytes out) {
    this.out = out;
  }

  public static byte[] bytes(Json value) {
    var out = new Bytes(512);
    out.add(0xd9);
    out.add(0xd9);
    out.add(0xf7);
    new CborWriter(out).write(value);
    return out.toArray();
  }

  /** Encodes a value without the self-described tag, as part of a document. */
  public static byte[] item(Json value) {
    var out = new Bytes(512);
    new CborWriter(out).write(value);
    return out.toArray();
  }

  /** The bytes before and after the items of a list in a document. */
  public record PluginContext(byte[] before, byte[] after) {}

  /**
   * Encodes a document around a list whose items the caller writes.
   *
   * @param list the member of the document that contains the list
   * @param count the number of items
   */
  public static PluginContext around(JsonObject document, String list, long count) {
    var before = new Bytes(512);
    before.add(0xd9);
    before.add(0xd9);
    before.add(0xf7);
    var after = new Bytes(512);
    var head = new CborWriter(before);
    head.head(5, document.size());
    var writer = head;
    for (int i : order(document)) {
      writer.text(document.key(i).getBytes(StandardCharsets.UTF_8));
      if (document.key(i).equals(list)) {
        writer.head(4, count);
        writer = new CborWriter(after);
      } else {
        writer.write(document.value(i));
      }
    }
    return new PluginContext(before.toArray(), after.toArray());
  }

  private void write(Json value) {
    switch (value) {
      case JsonObject object -> object(object);
      case JsonArray array -> {
        head(4, array.size());
        for (var item : array) {
          write(item);
        }
      }
      case JsonString string -> text(string.value().getBytes(StandardCharsets.UTF_8));
      case JsonInteger integer -> {
        long number = integer.value();
        head(number < 0 ? 1 : 0, number < 0 ? ~number : number);
      }
      case JsonDecimal decimal -> decimal(decimal.doubleValue());
      case JsonBool bool -> out.add(bool.value() ? 0xf5 : 0xf4);
      case JsonNull ignored -> out.add(0xf6);
    }
  }

  private void object(JsonObject object) {
    head(5, object.size());
    for (int i : order(object)) {
      text(object.key(i).getBytes(StandardCharsets.UTF_8));
      write(object.value(i));
    }
  }

  private static Integer[] order(JsonObject object) {
    var keys = new byte[object.size()][];
    var order = new Integer[object.size()];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = object.key(i).getBytes(StandardCharsets.UTF_8);
      order[i] = i;
    }
    Arrays.sort(order, (a, b) -> ENCODED_ORDER.compare(keys[a], keys[b]));
    return order;
  }

  private void text(byte[] bytes) {
    head(2, bytes.length);
    out.add(bytes);
  }

  private void head(int major, long value) {
    int type = major << 5;
    if (value < 24) {
      out.add(type | (int) value);
    } else if (value < 1 << 8) {
      out.add(type | 24);
      bigEndian(value, 1);
    } else if (value < 1 << 16) {
      out.add(type | 25);
      bigEndian(value, 2);
    } else if (value < 1L << 32) {
      out.add(type | 26);
      bigEndian(value, 4);
    } else {
      out.add(type | 27);
      bigEndian(value, 8);
    }
  }

  private void bigEndian(long value, int bytes) {
    for (int shift = (bytes - 1) * 8; shift >= 0; shift -= 8) {
      out.add((int) (value >>> shift));
    }
  }

  private void decimal(double value) {
    float single = (float) value;
    if (single == value) {
      short half = Float.floatToFloat16(single);
      if (Float.float16ToFloat(half) == single) {
        out.add(0xf9);
        bigEndian(half & 0xffff, 2);
      } else {
        out.add(0xfa);
        bigEndian(Float.floatToIntBits(single) & 0xffffffffL, 4);
      }
    } else {
      out.add(0xfb);
      bigEndian(Double.doubleToLongBits(value), 8);
    }
  }
}
