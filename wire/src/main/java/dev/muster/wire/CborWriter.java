package dev.muster.wire;

import dev.muster.model.Json;
import dev.muster.model.JsonArray;
import dev.muster.model.JsonBool;
import dev.muster.model.JsonDecimal;
import dev.muster.model.JsonInteger;
import dev.muster.model.JsonNull;
import dev.muster.model.JsonObject;
import dev.muster.model.JsonString;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;

/**
 * Writes CBOR (RFC 8949) as kube-apiserver does: the tag that says what it is, texts and keys as
 * byte strings, keys in the order of their encodings, floats as short as they fit.
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
    var keys = new byte[object.size()][];
    var order = new Integer[object.size()];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = object.key(i).getBytes(StandardCharsets.UTF_8);
      order[i] = i;
    }
    Arrays.sort(order, (a, b) -> ENCODED_ORDER.compare(keys[a], keys[b]));
    for (int i : order) {
      text(keys[i]);
      write(object.value(i));
    }
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
