package dev.muster.schema.protobuf;

import dev.muster.model.Timestamps;
import dev.muster.model.gocompat.GoDuration;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonNumber;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.schema.ListShape;
import dev.muster.schema.MapShape;
import dev.muster.schema.Scalar;
import dev.muster.schema.Shape;
import dev.muster.schema.StructShape;
import dev.muster.schema.read.TypedReader;
import dev.muster.wire.Bytes;
import dev.muster.wire.JsonWriter;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Encodes objects in canonical form as protobuf, byte for byte like upstream: fields by ascending
 * number, values even when they are zero, maps in the order of their keys. Only one thread uses it.
 */
final class ProtobufWriter {
  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int LENGTH = 2;

  private final BackwardBytes out;

  /** The fields of all structs that are being written, one struct's after the other's. */
  private @Nullable Json[] slots = new Json[256];

  private int top;

  ProtobufWriter(BackwardBytes out) {
    this.out = out;
  }

  void struct(StructShape shape, JsonObject object) {
    int base = top;
    top += shape.size();
    if (top > slots.length) {
      slots = Arrays.copyOf(slots, Math.max(top, slots.length * 2));
    }
    for (int i = 0; i < object.size(); i++) {
      int position = shape.indexOf(object.key(i));
      if (position >= 0) {
        slots[base + position] = object.value(i);
      }
    }
    entries(ProtobufLayout.of(shape), base);
    Arrays.fill(slots, base, base + shape.size(), null);
    top = base;
  }

  private void entries(ProtobufLayout layout, int base) {
    var entries = layout.ascending();
    for (int i = entries.length - 1; i >= 0; i--) {
      switch (entries[i]) {
        case ProtobufLayout.Group group -> {
          int end = out.size();
          entries(group.layout(), base);
          finish(group.number(), end);
        }
        case ProtobufLayout.Member member -> member(member, slots[base + member.position()]);
      }
    }
  }

  private void member(ProtobufLayout.Member member, @Nullable Json given) {
    var value = given == JsonNull.NULL && !isSchema(member.field().shape()) ? null : given;
    if (value == null && member.pointer()) {
      return;
    }
    switch (member.field().shape()) {
      case ListShape list -> list(member.number(), list, value);
      case MapShape map -> map(member.number(), map, value);
      case StructShape struct -> message(member.number(), struct, value);
      case Scalar scalar -> scalar(member.number(), scalar, value);
    }
  }

  private static boolean isSchema(Shape shape) {
    return shape == Scalar.SCHEMA_OR_ARRAY || shape == Scalar.SCHEMA_OR_STRINGS;
  }

  private void tag(int number, int wireType) {
    out.varint((long) number << 3 | wireType);
  }

  /**
   * Ends a message: writes its length and number. {@code end} is the number of bytes written before
   * it.
   */
  private void finish(int number, int end) {
    out.varint(out.size() - end);
    tag(number, LENGTH);
  }

  private void message(int number, StructShape shape, @Nullable Json value) {
    int end = out.size();
    struct(shape, value instanceof JsonObject object ? object : JsonObject.EMPTY);
    finish(number, end);
  }

  private void list(int number, ListShape list, @Nullable Json value) {
    int end = out.size();
    if (value instanceof JsonArray array) {
      for (int i = array.size() - 1; i >= 0; i--) {
        member(list.wrapped() ? 1 : number, list.items(), array.get(i));
      }
    }
    if (list.wrapped()) {
      finish(number, end);
    }
  }

  private void member(int number, Shape shape, Json value) {
    switch (shape) {
      case StructShape struct -> message(number, struct, value);
      case Scalar scalar -> scalar(number, scalar, value == JsonNull.NULL ? null : value);
      case ListShape list -> list(number, list, value);
      case MapShape map -> map(number, map, value);
    }
  }

  private void map(int number, MapShape map, @Nullable Json value) {
    if (!(value instanceof JsonObject object)) {
      return;
    }
    for (int i = object.size() - 1; i >= 0; i--) {
      int end = out.size();
      member(2, map.values(), object.value(i));
      text(1, object.key(i));
      finish(number, end);
    }
  }

  private void text(int number, String text) {
    out.text(text);
    tag(number, LENGTH);
  }

  private void varint(int number, long value) {
    out.varint(value);
    tag(number, VARINT);
  }

  private void scalar(int number, Scalar scalar, @Nullable Json value) {
    switch (scalar) {
      case STRING -> text(number, value instanceof JsonString string ? string.value() : "");
      case BOOLEAN -> varint(number, value == JsonBool.TRUE ? 1 : 0);
      case INT32, INT64 ->
          varint(number, value instanceof JsonInteger integer ? integer.value() : 0);
      case DOUBLE -> {
        double decimal = value instanceof JsonNumber some ? some.doubleValue() : 0;
        out.fixed64(Double.doubleToLongBits(decimal));
        tag(number, FIXED64);
      }
      case BYTES -> {
        if (value instanceof JsonString string) {
          var bytes = Base64.getDecoder().decode(string.value());
          out.bytes(bytes);
          out.varint(bytes.length);
          tag(number, LENGTH);
        }
      }
      default -> {
        int end = out.size();
        content(scalar, value);
        finish(number, end);
      }
    }
  }

  /** Writes the fields of a message that JSON shows as one value. */
  private void content(Scalar scalar, @Nullable Json value) {
    switch (scalar) {
      case TIME -> {
        if (value instanceof JsonString string) {
          varint(2, 0);
          varint(1, Timestamps.parse(string.value()).getEpochSecond());
        }
      }
      case MICRO_TIME -> {
        if (value instanceof JsonString string) {
          var time = Timestamps.parseMicro(string.value());
          varint(2, time.getNano());
          varint(1, time.getEpochSecond());
        }
      }
      case DURATION ->
          varint(
              1,
              value instanceof JsonString string ? GoDuration.parse(string.value()).toNanos() : 0);
      case QUANTITY -> text(1, value instanceof JsonString string ? string.value() : "0");
      case INT_OR_STRING -> {
        text(3, value instanceof JsonString string ? string.value() : "");
        varint(2, value instanceof JsonInteger integer ? integer.value() : 0);
        varint(1, value instanceof JsonString ? 1 : 0);
      }
      case ANY, FIELDS_V1 -> {
        if (value != null) {
          var json = new Bytes(256);
          JsonWriter.plain(json).write(value);
          out.bytes(json.toArray());
          out.varint(json.size());
          tag(1, LENGTH);
        }
      }
      case SCHEMA_OR_ARRAY -> schemaOr(value, 1, 2, TypedReader.schema());
      case SCHEMA_OR_STRINGS -> schemaOr(value, 1, 2, Scalar.STRING);
      case SCHEMA_OR_BOOL -> {
        schemaOr(value, 2, 0, Scalar.STRING);
        varint(1, value == JsonBool.FALSE ? 0 : 1);
      }
      case STRING, BOOLEAN, INT32, INT64, DOUBLE, BYTES ->
          throw new IllegalArgumentException(scalar + " is not a message");
    }
  }

  private void schemaOr(@Nullable Json value, int schema, int listed, Shape items) {
    if (value instanceof JsonObject object) {
      message(schema, TypedReader.schema(), object);
    } else if (value instanceof JsonArray array) {
      for (int i = array.size() - 1; i >= 0; i--) {
        member(listed, items, array.get(i));
      }
    }
  }
}
