package dev.muster.server.answer;

import dev.muster.registry.options.Query;
import dev.muster.registry.types.Derivation;
import dev.muster.registry.types.ServedType;
import dev.muster.wire.Encoding;
import dev.muster.wire.Negotiated;
import dev.muster.wire.Offer;
import java.time.Clock;

/** Finds the representation that a client asks for. Safe for any thread. */
public final class Representations {
  private static final Derivation<ServedType, Representation> JSON =
      new Derivation<>(JsonRepresentation::new);
  private static final Derivation<ServedType, Representation> PROTOBUF =
      new Derivation<>(ProtobufRepresentation::new);

  private final Clock clock;
  private final Offer offer;

  /**
   * @param offer the encodings that are given
   */
  public Representations(Clock clock, Offer offer) {
    this.clock = clock;
    this.offer = offer;
  }

  /** What the answer will be. */
  public enum Kind {
    OBJECT,
    LIST,
    WATCH
  }

  /**
   * @param accept the Accept header, or ""
   * @param subresource what of the object is asked for, or "" for the object itself
   * @param userAgent the client's own name; browsers and curl get their JSON indented
   */
  public Representation of(
      String accept,
      String userAgent,
      Query query,
      ServedType type,
      String subresource,
      Kind kind) {
    var negotiated =
        kind == Kind.WATCH
            ? Negotiated.ofWatch(offer, accept, type.isCustom())
            : Negotiated.of(
                offer, accept, kind == Kind.LIST, type.offersTable(subresource), type.isCustom());
    boolean pretty =
        kind != Kind.WATCH
            && (negotiated.pretty() || Negotiated.isPretty(query.first("pretty"), userAgent));
    boolean asStored =
        negotiated.target() == Negotiated.Target.OBJECT
            && type.isStoredVersion()
            && !type.convertsByCall()
            && !pretty;
    if (asStored && negotiated.encoding() == Encoding.JSON) {
      return JSON.of(type);
    }
    if (asStored && negotiated.encoding() == Encoding.PROTOBUF) {
      return PROTOBUF.of(type);
    }
    return new TreeRepresentation(type, negotiated, pretty, query, clock);
  }
}
