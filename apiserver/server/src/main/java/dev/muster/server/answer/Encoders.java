package dev.muster.server.answer;

import dev.muster.model.json.JsonObject;
import dev.muster.schema.protobuf.ProtobufCodec;
import dev.muster.wire.CborReader;
import dev.muster.wire.CborWriter;
import dev.muster.wire.Document;
import dev.muster.wire.Encoding;
import dev.muster.wire.JsonIndent;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonWriter;
import dev.muster.wire.yaml.YamlReader;
import dev.muster.wire.yaml.YamlWriter;

/** Encodes and decodes objects as JSON, YAML, protobuf and CBOR. */
public final class Encoders {
  private Encoders() {}

  public static byte[] encode(Encoding encoding, JsonObject object) {
    return encode(encoding, object, false);
  }

  /** Encodes a whole document. Compact JSON ends with a line end, indented JSON does not. */
  static byte[] encode(Encoding encoding, JsonObject object, boolean pretty) {
    return switch (encoding) {
      case JSON -> pretty ? JsonIndent.of(JsonWriter.bytes(object)) : JsonWriter.line(object);
      case YAML -> YamlWriter.bytes(object);
      case PROTOBUF -> ProtobufCodec.encode(object);
      case CBOR -> CborWriter.bytes(object);
    };
  }

  /** Encodes one watch event. */
  static byte[] frame(Encoding encoding, String eventType, JsonObject object) {
    return switch (encoding) {
      case JSON, YAML -> Frames.json(eventType, JsonWriter.bytes(object));
      case PROTOBUF -> ProtobufCodec.watchFrame(eventType, ProtobufCodec.encode(object));
      case CBOR -> CborWriter.bytes(JsonObject.of("type", eventType, "object", object));
    };
  }

  public static Document decode(Encoding encoding, byte[] bytes) {
    return switch (encoding) {
      case JSON -> JsonReader.document(bytes);
      case YAML -> YamlReader.document(bytes);
      case PROTOBUF -> new Document(ProtobufCodec.decode(bytes));
      case CBOR -> new Document(CborReader.read(bytes));
    };
  }
}
