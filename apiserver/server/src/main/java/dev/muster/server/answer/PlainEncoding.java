package dev.muster.server.answer;

import dev.muster.model.json.JsonObject;
import dev.muster.wire.Encoding;
import dev.muster.wire.NegotiatedMediaType;
import dev.muster.wire.SupportedMediaTypes;

/** Encodes documents that are not resources, such as discovery. */
public final class PlainEncoding {
  private PlainEncoding() {}

  /**
   * The media type of an error: the one that the client accepts, or JSON if the server supports
   * none of those.
   */
  public static NegotiatedMediaType ofError(
      SupportedMediaTypes supportedMediaTypes, String accept) {
    if (accept.isEmpty() || accept.equals("application/json") || accept.equals("*/*")) {
      return NegotiatedMediaType.JSON;
    }
    return NegotiatedMediaType.ofError(supportedMediaTypes, accept);
  }

  /**
   * @param pretty whether JSON is indented
   */
  public static byte[] encode(Encoding encoding, JsonObject object, boolean pretty) {
    return Encoders.encode(encoding, object, pretty);
  }
}
