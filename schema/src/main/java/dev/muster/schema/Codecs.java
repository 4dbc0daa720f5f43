package dev.muster.schema;

import dev.muster.model.json.JsonObject;
import dev.muster.wire.CborReader;
import dev.muster.wire.CborWriter;
import dev.muster.wire.DecodeException;
import dev.muster.wire.Document;
import dev.muster.wire.Encoding;
import dev.muster.wire.JsonIndent;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonWriter;
import dev.muster.wire.YamlReader;
import dev.muster.wire.YamlWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bodies of requests and answers in every encoding. */
public final class Codecs {
  private static final byte[] YAML_START = "---\n".getBytes(StandardCharsets.US_ASCII);

  private Codecs() {}

  /**
   * Reads the body of a request.
   *
   * @throws DecodeException in kube-apiserver's words
   */
  public static Document decode(Encoding encoding, byte[] body) {
    return switch (encoding) {
      case JSON -> {
        try {
          yield JsonReader.document(body);
        } catch (DecodeException e) {
          throw new DecodeException("couldn't get version/kind; json parse error: " + e.text());
        }
      }
      case YAML -> YamlReader.document(body);
      case PROTOBUF -> new Document(ProtobufCodec.decode(body));
      case CBOR -> new Document(CborReader.read(body));
    };
  }

  /**
   * The body of an answer.
   *
   * @param object in its normal form
   * @param pretty whether JSON is put on lines
   * @throws IllegalArgumentException when the encoding is protobuf and the kind is not built in
   */
  public static byte[] encode(Encoding encoding, JsonObject object, boolean pretty) {
    return switch (encoding) {
      case JSON -> encodeJson(JsonWriter.bytes(object), pretty);
      case YAML -> YamlWriter.bytes(object);
      case PROTOBUF -> ProtobufCodec.encode(object);
      case CBOR -> CborWriter.bytes(object);
    };
  }

  /** The body of an answer in JSON: a line, or many. */
  public static byte[] encodeJson(byte[] json, boolean pretty) {
    if (pretty) {
      return JsonIndent.of(json);
    }
    var line = Arrays.copyOf(json, json.length + 1);
    line[json.length] = '\n';
    return line;
  }

  /**
   * The body of an answer, from an object that is already in JSON.
   *
   * @param json the object in its normal form
   */
  public static byte[] transcode(Encoding encoding, byte[] json, boolean pretty) {
    return encoding == Encoding.JSON
        ? encodeJson(json, pretty)
        : encode(encoding, (JsonObject) JsonReader.read(json), false);
  }

  /**
   * An event of a watch as it goes over the wire.
   *
   * @param type such as {@code ADDED}
   * @param json the object in JSON, in its normal form
   */
  public static byte[] watchEvent(Encoding encoding, String type, byte[] json) {
    return switch (encoding) {
      case JSON -> jsonEvent(type, json);
      case PROTOBUF -> ProtobufCodec.watchFrame(type, transcode(Encoding.PROTOBUF, json, false));
      case CBOR ->
          CborWriter.bytes(
              JsonObject.of("type", type, "object", (JsonObject) JsonReader.read(json)));
      case YAML -> {
        var event =
            YamlWriter.bytes(
                JsonObject.of("type", type, "object", (JsonObject) JsonReader.read(json)));
        var document = Arrays.copyOf(YAML_START, YAML_START.length + event.length);
        System.arraycopy(event, 0, document, YAML_START.length, event.length);
        yield document;
      }
    };
  }

  private static byte[] jsonEvent(String type, byte[] json) {
    var head = ("{\"type\":\"" + type + "\",\"object\":").getBytes(StandardCharsets.US_ASCII);
    var event = Arrays.copyOf(head, head.length + json.length + 2);
    System.arraycopy(json, 0, event, head.length, json.length);
    event[event.length - 2] = '}';
    event[event.length - 1] = '\n';
    return event;
  }
}
