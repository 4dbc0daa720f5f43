package dev.muster.server.answer;

import dev.muster.model.GroupVersionKind;
import dev.muster.registry.Query;
import dev.muster.registry.table.TableColumns;
import dev.muster.schema.ResourceType;
import dev.muster.wire.Encoding;
import dev.muster.wire.Negotiated;
import dev.muster.wire.Offer;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Finds the representation that a client asks for. Safe for any thread. */
public final class Representations {
  private final Clock clock;
  private final Offer offer;
  private final Map<GroupVersionKind, Representation> json = new ConcurrentHashMap<>();
  private final Map<GroupVersionKind, Representation> protobuf = new ConcurrentHashMap<>();

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
      ResourceType type,
      String subresource,
      Kind kind) {
    var negotiated =
        kind == Kind.WATCH
            ? Negotiated.ofWatch(offer, accept)
            : Negotiated.of(
                offer, accept, kind == Kind.LIST, TableColumns.isOffered(type, subresource));
    boolean pretty =
        kind != Kind.WATCH
            && (negotiated.pretty() || Negotiated.isPretty(query.first("pretty"), userAgent));
    boolean asStored =
        negotiated.target() == Negotiated.Target.OBJECT
            && type.kind().equals(type.stored())
            && !pretty;
    if (asStored && negotiated.encoding() == Encoding.JSON) {
      return shared(json, type, JsonRepresentation::new);
    }
    if (asStored && negotiated.encoding() == Encoding.PROTOBUF) {
      return shared(protobuf, type, ProtobufRepresentation::new);
    }
    return new TreeRepresentation(type, negotiated, pretty, query, clock);
  }

  private static Representation shared(
      Map<GroupVersionKind, Representation> all,
      ResourceType type,
      Function<ResourceType, Representation> maker) {
    var known = all.get(type.kind());
    return known != null ? known : all.computeIfAbsent(type.kind(), ignored -> maker.apply(type));
  }
}
