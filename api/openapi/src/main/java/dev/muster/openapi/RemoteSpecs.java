package dev.muster.openapi;

import dev.muster.model.json.JsonObject;
import java.util.List;
import java.util.Map;

/**
 * What other API servers publish about what they answer for, to be shown with the documents of this
 * one. Immutable; documents are made anew for another instance.
 *
 * @param addresses of documents of version 3 by what they are about, such as {@code apis/g/v1}
 * @param swaggers documents of version 2, with what belongs into that of this server
 */
public record RemoteSpecs(Map<String, String> addresses, List<JsonObject> swaggers) {
  public static final RemoteSpecs NONE = new RemoteSpecs(Map.of(), List.of());

  public RemoteSpecs {
    addresses = Map.copyOf(addresses);
    swaggers = List.copyOf(swaggers);
  }
}
