package dev.muster.server.answer;

import dev.muster.model.ApiException;
import dev.muster.model.JsonObject;
import dev.muster.model.Reason;
import dev.muster.wire.Encoding;
import dev.muster.wire.Negotiated;
import dev.muster.wire.Offer;

/** Encodings of documents that are no resources, such as discovery. */
public final class PlainEncoding {
  private PlainEncoding() {}

  public static Encoding of(String accept) {
    try {
      var negotiated = Negotiated.of(withoutAggregation(accept), false);
      if (negotiated.target() == Negotiated.Target.OBJECT) {
        return negotiated.encoding();
      }
    } catch (ApiException e) {
      // answered below in the words of discovery
    }
    throw new ApiException(
        Reason.NOT_ACCEPTABLE,
        "only the following media types are accepted: application/json, application/yaml,"
            + " application/vnd.kubernetes.protobuf");
  }

  /** The encoding of an error: the wanted one, or JSON when none that was wanted can be had. */
  public static Encoding ofError(Offer offer, String accept) {
    if (accept.isEmpty() || accept.equals("application/json") || accept.equals("*/*")) {
      return Encoding.JSON;
    }
    return Negotiated.ofError(offer, accept);
  }

  private static String withoutAggregation(String accept) {
    return accept.contains("apidiscovery") ? "application/json" : accept;
  }

  public static byte[] encode(Encoding encoding, JsonObject object) {
    return Encoders.encode(encoding, object);
  }
}
