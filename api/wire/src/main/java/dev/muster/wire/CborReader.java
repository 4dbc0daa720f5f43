package dev.muster.wire;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.HexFormat;

/**
 * Reads CBOR (RFC 8949) like kube-apiserver. It reads byte strings as texts, in the encoding that
 * their tag names. It refuses keys that are not texts, repeated keys, and values that JSON cannot
 * represent. Time and memory are proportional to the length of the input. One thread uses it once.
 */
public final class CborReader {
  private static final int INDEFINITE = 31;
  private static final int BREAK = 0xff;

  private final byte[] bytes;
  private int at;
  private int depth;

  private CborReader(byte[] bytes) {
    this.bytes = bytes;
  }

  public static Json read(byte[] bytes) {
    var reader = new CborReader(bytes);
    var value = reader.value();
    if (reader.at < bytes.length) {
      throw new DecodeException(
          "cbor: "
              + (bytes.length - reader.at)
              + " bytes of extraneous data starting at index "
              + reader.at);
    }
    return value;
  }

  private int octet() {
    if (at >= bytes.length) {
      throw new DecodeException(bytes.length == 0 ? "EOF" : "unexpected EOF");
    }
    return bytes[at++] & 0xff;
  }

  private Json value() {
    int head = octet();
    int major = head >>> 5;
    int info = head & 31;
    return switch (major) {
      case 0 -> new JsonInteger(signed(argument(info)));
      case 1 -> new JsonInteger(~signed(argument(info)));
      case 2, 3 -> Json.of(string(major, info));
      case 4 -> array(info);
      case 5 -> map(info);
      case 6 -> tagged(argument(info));
      default -> simple(info);
    };
  }

  private long argument(int info) {
    if (info < 24) {
      return info;
    }
    if (info > 27) {
      throw new DecodeException("cbor: invalid additional information " + info);
    }
    long value = 0;
    for (int i = 1 << (info - 24); i > 0; i--) {
      value = value << 8 | octet();
    }
    return value;
  }

  private static long signed(long value) {
    if (value < 0) {
      throw new DecodeException("cbor: " + Long.toUnsignedString(value) + " overflows Go's int64");
    }
    return value;
  }

  private int length(int info) {
    long length = argument(info);
    if (length < 0 || length > bytes.length - at) {
      throw new DecodeException("unexpected EOF");
    }
    return (int) length;
  }

  private String string(int major, int info) {
    var content = content(major, info);
    if (major == 2) {
      return new String(content, StandardCharsets.UTF_8);
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
    } catch (CharacterCodingException e) {
      throw new DecodeException("cbor: invalid UTF-8 string");
    }
  }

  private byte[] content(int major, int info) {
    if (info != INDEFINITE) {
      int length = length(info);
      var content = new byte[length];
      System.arraycopy(bytes, at, content, 0, length);
      at += length;
      return content;
    }
    var chunks = new Bytes(64);
    for (int head = octet(); head != BREAK; head = octet()) {
      if (head >>> 5 != major || (head & 31) == INDEFINITE) {
        throw new DecodeException("cbor: wrong element in indefinite-length string");
      }
      int length = length(head & 31);
      chunks.add(bytes, at, length);
      at += length;
    }
    return chunks.toArray();
  }

  private void enter() {
    if (++depth > JsonReader.MAX_DEPTH) {
      throw new DecodeException("cbor: exceeded max nested level " + JsonReader.MAX_DEPTH);
    }
  }

  private boolean hasMore(int info, long count, int read) {
    if (info != INDEFINITE) {
      return read < count;
    }
    if (at < bytes.length && (bytes[at] & 0xff) == BREAK) {
      at++;
      return false;
    }
    return true;
  }

  private Json array(int info) {
    enter();
    long count = info == INDEFINITE ? 0 : length(info);
    var items = new ArrayList<Json>();
    while (hasMore(info, count, items.size())) {
      items.add(value());
    }
    depth--;
    return JsonArray.of(items);
  }

  private Json map(int info) {
    enter();
    long count = info == INDEFINITE ? 0 : length(info);
    var keys = new ArrayList<String>();
    var values = new ArrayList<Json>();
    var seen = new HashSet<String>();
    while (hasMore(info, count, keys.size())) {
      int head = octet();
      if (head >>> 5 != 2 && head >>> 5 != 3) {
        throw new DecodeException("cbor: map keys must be strings");
      }
      var key = string(head >>> 5, head & 31);
      if (!seen.add(key)) {
        throw new DecodeException("cbor: found duplicate map key " + GoText.quote(key));
      }
      keys.add(key);
      values.add(value());
    }
    depth--;
    return JsonObject.ofUnique(keys.toArray(new String[0]), values.toArray(new Json[0]));
  }

  private Json tagged(long tag) {
    if (tag == 2 || tag == 3) {
      throw new DecodeException("cbor: bignum is not allowed");
    }
    if (tag >= 21 && tag <= 23 && at < bytes.length && (bytes[at] & 0xff) >>> 5 == 2) {
      var content = content(2, octet() & 31);
      return Json.of(
          tag == 21
              ? Base64.getUrlEncoder().withoutPadding().encodeToString(content)
              : tag == 22
                  ? Base64.getEncoder().encodeToString(content)
                  : HexFormat.of().withUpperCase().formatHex(content));
    }
    enter();
    var value = value();
    depth--;
    return value;
  }

  private Json simple(int info) {
    return switch (info) {
      case 20 -> JsonBool.FALSE;
      case 21 -> JsonBool.TRUE;
      case 22 -> JsonNull.NULL;
      case 25 -> decimal(Float.float16ToFloat((short) argument(info)));
      case 26 -> decimal(Float.intBitsToFloat((int) argument(info)));
      case 27 -> decimal(Double.longBitsToDouble(argument(info)));
      default -> throw new DecodeException("cbor: simple value " + info + " is not recognized");
    };
  }

  private static Json decimal(double value) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      throw new DecodeException("cbor: NaN and infinite values are not allowed");
    }
    return GoNumbers.of(value);
  }
}
