package dev.muster.server.answer;

import dev.muster.model.JsonObject;
import dev.muster.wire.DecodeException;
import dev.muster.wire.Document;
import dev.muster.wire.Encoding;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonWriter;

/** Trees to bytes and back, in every encoding. */
public final class Encoders {
  private Encoders() {}

  public static byte[] encode(Encoding encoding, JsonObject object) {
    return encode(encoding, object, false);
  }

  static byte[] encode(Encoding encoding, JsonObject object, boolean pretty) {
    return JsonWriter.bytes(object);
  }

  /** One event of a watch. */
  static byte[] frame(Encoding encoding, String eventType, JsonObject object) {
    return Frames.json(eventType, JsonWriter.bytes(object));
  }

  public static Document decode(Encoding encoding, byte[] bytes) {
    if (encoding != Encoding.JSON) {
      throw new DecodeException("not yet");
    }
    return JsonReader.document(bytes);
  }
}
