package dev.muster.server.answer;

import dev.muster.model.json.JsonObject;
import dev.muster.wire.Encoding;
import dev.muster.wire.NegotiatedMediaType;
import dev.muster.wire.SupportedMediaTypes;

/** Encodings of documents that are no resources, such as discovery. */
public final class PlainEncoding {
  private PlainEncoding() {}

  /** The form of an error: the wanted one, or JSON when none that was wanted can be had. */
  public static NegotiatedMediaType ofError(
      SupportedMediaTypes supportedMediaTypes, String accept) {
    if (accept.isEmpty() || accept.equals("application/json") || accept.equals("*/*")) {
      return NegotiatedMediaType.JSON;
    }
    return NegotiatedMediaType.ofError(supportedMediaTypes, accept);
  }

  /**
   * @param pretty whether JSON is put on lines
   */
  public static byte[] encode(Encoding encoding, JsonObject object, boolean pretty) {
    return Encoders.encode(encoding, object, pretty);
  }
}
