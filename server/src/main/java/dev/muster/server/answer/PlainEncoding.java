package dev.muster.server.answer;

import dev.muster.model.json.JsonObject;
import dev.muster.wire.Encoding;
import dev.muster.wire.Negotiated;
import dev.muster.wire.Offer;

/** Encodings of documents that are no resources, such as discovery. */
public final class PlainEncoding {
  private PlainEncoding() {}

  /** The form of an error: the wanted one, or JSON when none that was wanted can be had. */
  public static Negotiated ofError(Offer offer, String accept) {
    if (accept.isEmpty() || accept.equals("application/json") || accept.equals("*/*")) {
      return Negotiated.JSON;
    }
    return Negotiated.ofError(offer, accept);
  }

  /**
   * @param pretty whether JSON is put on lines
   */
  public static byte[] encode(Encoding encoding, JsonObject object, boolean pretty) {
    return Encoders.encode(encoding, object, pretty);
  }
}
