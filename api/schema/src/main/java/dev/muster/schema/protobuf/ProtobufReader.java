package dev.muster.schema.protobuf;

import dev.muster.model.Timestamps;
import dev.muster.model.gocompat.GoDuration;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.schema.ListShape;
import dev.muster.schema.MapShape;
import dev.muster.schema.Scalar;
import dev.muster.schema.Shape;
import dev.muster.schema.StructShape;
import dev.muster.schema.read.EmptyFields;
import dev.muster.schema.read.ScalarReader;
import dev.muster.schema.read.StructWriter;
import dev.muster.schema.read.TypedReader;
import dev.muster.schema.read.ZeroValues;
import dev.muster.wire.DecodeException;
import dev.muster.wire.GoNumbers;
import dev.muster.wire.JsonReader;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Decodes protobuf into objects in canonical form. It skips unknown field numbers. Time and memory
 * are proportional to the length of the input. Only one thread uses it.
 */
final class ProtobufReader {
  private static final int MAX_DEPTH = 500;

  private final ProtobufBytes in;
  private int depth;

  ProtobufReader(ProtobufBytes in) {
    this.in = in;
  }

  /** Decodes the message that ends at that position. */
  JsonObject struct(StructShape shape, int end) {
    if (++depth > MAX_DEPTH) {
      throw new DecodeException("proto: exceeded max depth");
    }
    var collected = new Object[shape.size()];
    entries(ProtobufLayout.of(shape), collected, end);
    depth--;
    var values = new Json[collected.length];
    for (int i = 0; i < collected.length; i++) {
      values[i] = value(collected[i]);
    }
    return StructWriter.object(shape, values, 0, null, EmptyFields.NONE);
  }

  private void entries(ProtobufLayout layout, @Nullable Object[] collected, int end) {
    while (in.at() < end) {
      int tag = in.tag();
      var entry = layout.find(tag >>> 3);
      switch (entry) {
        case null -> in.skip(tag);
        case ProtobufLayout.Group group -> {
          int inner = in.length(tag);
          entries(group.layout(), collected, inner);
        }
        case ProtobufLayout.Member member -> {
          int position = member.position();
          collected[position] = member(member.field().shape(), tag, collected[position]);
        }
      }
    }
    in.endAt(end);
  }

  /** The value of a field after one more occurrence: a value, or a list or map that grows. */
  private @Nullable Object member(Shape shape, int tag, @Nullable Object before) {
    return switch (shape) {
      case MapShape map -> {
        @SuppressWarnings("unchecked")
        var entries = before == null ? new TreeMap<String, Json>() : (Map<String, Json>) before;
        entry(map, tag, entries);
        yield entries;
      }
      case ListShape list when list.wrapped() -> wrapped(list, tag);
      case ListShape list -> {
        @SuppressWarnings("unchecked")
        var items = before == null ? new ArrayList<Json>() : (List<Json>) before;
        item(list.items(), tag, items);
        yield items;
      }
      case StructShape struct -> struct(struct, in.length(tag));
      case Scalar scalar -> scalar(scalar, tag);
    };
  }

  private static @Nullable Json value(@Nullable Object collected) {
    return switch (collected) {
      case null -> null;
      case Json json -> json;
      case List<?> list -> JsonArray.owning(list.toArray(new Json[0]));
      case Map<?, ?> map ->
          JsonObject.ofUnique(
              map.keySet().toArray(new String[0]), map.values().toArray(new Json[0]));
      case Object other -> throw new IllegalStateException("collected " + other.getClass());
    };
  }

  private void item(Shape items, int tag, List<Json> list) {
    if ((tag & 7) == ProtobufBytes.LENGTH && isVarint(items)) {
      int end = in.length(tag);
      while (in.at() < end) {
        list.add(number(items, in.varint()));
      }
      in.endAt(end);
    } else {
      list.add(single(items, tag));
    }
  }

  private static boolean isVarint(Shape shape) {
    return shape == Scalar.INT32 || shape == Scalar.INT64 || shape == Scalar.BOOLEAN;
  }

  /** A single value; where a field would count as absent, the zero value. */
  private Json single(Shape shape, int tag) {
    var read = value(member(shape, tag, null));
    return read != null ? read : ZeroValues.of(shape);
  }

  private JsonArray wrapped(ListShape list, int tag) {
    int end = in.length(tag);
    var items = new ArrayList<Json>();
    while (in.at() < end) {
      int inner = in.tag();
      if (inner >>> 3 == 1) {
        item(list.items(), inner, items);
      } else {
        in.skip(inner);
      }
    }
    in.endAt(end);
    return JsonArray.of(items);
  }

  private void entry(MapShape map, int tag, Map<String, Json> entries) {
    int end = in.length(tag);
    var key = "";
    Json value = null;
    while (in.at() < end) {
      int inner = in.tag();
      switch (inner >>> 3) {
        case 1 -> key = in.text(inner);
        case 2 -> value = single(map.values(), inner);
        default -> in.skip(inner);
      }
    }
    in.endAt(end);
    entries.put(key, value != null ? value : ZeroValues.inMap(map.values()));
  }

  private static Json number(Shape shape, long value) {
    if (shape == Scalar.BOOLEAN) {
      return Json.of(value != 0);
    }
    return new JsonInteger(shape == Scalar.INT32 ? (int) value : value);
  }

  private @Nullable Json scalar(Scalar scalar, int tag) {
    return switch (scalar) {
      case STRING -> new JsonString(in.text(tag));
      case BOOLEAN, INT32, INT64 -> number(scalar, in.varint(tag));
      case DOUBLE -> GoNumbers.of(Double.longBitsToDouble(in.fixed64(tag)));
      case BYTES -> Json.of(Base64.getEncoder().encodeToString(in.bytes(tag)));
      case TIME, MICRO_TIME -> time(scalar, in.length(tag));
      case DURATION -> duration(in.length(tag));
      case QUANTITY -> quantity(in.length(tag));
      case INT_OR_STRING -> intOrString(in.length(tag));
      case ANY, FIELDS_V1 -> raw(in.length(tag));
      case SCHEMA_OR_ARRAY -> schemaOr(in.length(tag), TypedReader.schema());
      case SCHEMA_OR_STRINGS -> schemaOr(in.length(tag), Scalar.STRING);
      case SCHEMA_OR_BOOL -> schemaOrBool(in.length(tag));
    };
  }

  private Json time(Scalar scalar, int end) {
    if (in.at() == end) {
      return JsonNull.NULL;
    }
    var parts = new long[3];
    numbers(parts, end);
    try {
      if (scalar == Scalar.TIME) {
        var time = Instant.ofEpochSecond(parts[1]);
        return Timestamps.isZero(time) ? JsonNull.NULL : Json.of(Timestamps.format(time));
      }
      var time = Instant.ofEpochSecond(parts[1], parts[2] / 1000 * 1000);
      return Timestamps.isZero(time) ? JsonNull.NULL : Json.of(Timestamps.formatMicro(time));
    } catch (DateTimeException | ArithmeticException e) {
      throw new DecodeException("proto: time out of range");
    }
  }

  private Json duration(int end) {
    var parts = new long[2];
    numbers(parts, end);
    return Json.of(GoDuration.format(Duration.ofNanos(parts[1])));
  }

  /** Decodes a message of numbers into an array, indexed by field number. */
  private void numbers(long[] parts, int end) {
    while (in.at() < end) {
      int tag = in.tag();
      if (tag >>> 3 < parts.length) {
        parts[tag >>> 3] = in.varint(tag);
      } else {
        in.skip(tag);
      }
    }
    in.endAt(end);
  }

  private Json quantity(int end) {
    var text = "0";
    while (in.at() < end) {
      int tag = in.tag();
      if (tag >>> 3 == 1) {
        text = in.text(tag);
      } else {
        in.skip(tag);
      }
    }
    in.endAt(end);
    try {
      return ScalarReader.quantity(Json.of(text.isEmpty() ? "0" : text));
    } catch (ScalarReader.Fatal malformed) {
      throw malformed.decodeException();
    }
  }

  private Json intOrString(int end) {
    long type = 0;
    int number = 0;
    var text = "";
    while (in.at() < end) {
      int tag = in.tag();
      switch (tag >>> 3) {
        case 1 -> type = in.varint(tag);
        case 2 -> number = (int) in.varint(tag);
        case 3 -> text = in.text(tag);
        default -> in.skip(tag);
      }
    }
    in.endAt(end);
    return type == 0 ? Json.of(number) : Json.of(text);
  }

  private @Nullable Json raw(int end) {
    byte[] raw = {};
    while (in.at() < end) {
      int tag = in.tag();
      if (tag >>> 3 == 1) {
        raw = in.bytes(tag);
      } else {
        in.skip(tag);
      }
    }
    in.endAt(end);
    if (raw.length == 0) {
      return null;
    }
    var json = ProtobufCodec.isEnvelope(raw) ? ProtobufCodec.decode(raw) : JsonReader.read(raw);
    return json == JsonNull.NULL ? null : json;
  }

  private Json schemaOr(int end, Shape items) {
    Json schema = JsonNull.NULL;
    var list = new ArrayList<Json>();
    while (in.at() < end) {
      int tag = in.tag();
      switch (tag >>> 3) {
        case 1 -> schema = struct(TypedReader.schema(), in.length(tag));
        case 2 -> item(items, tag, list);
        default -> in.skip(tag);
      }
    }
    in.endAt(end);
    return list.isEmpty() ? schema : JsonArray.of(list);
  }

  private Json schemaOrBool(int end) {
    Json schema = null;
    boolean allows = false;
    while (in.at() < end) {
      int tag = in.tag();
      switch (tag >>> 3) {
        case 1 -> allows = in.varint(tag) != 0;
        case 2 -> schema = struct(TypedReader.schema(), in.length(tag));
        default -> in.skip(tag);
      }
    }
    in.endAt(end);
    return schema != null ? schema : Json.of(allows);
  }
}
