package dev.muster.server.answer;

import dev.muster.model.GroupVersionKind;
import dev.muster.registry.Query;
import dev.muster.schema.ResourceType;
import dev.muster.wire.Encoding;
import dev.muster.wire.Negotiated;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Finds the representation that a client asks for. Safe for any thread. */
public final class Representations {
  private final Clock clock;
  private final Map<GroupVersionKind, Representation> json = new ConcurrentHashMap<>();

  public Representations(Clock clock) {
    this.clock = clock;
  }

  /** What the answer will be. */
  public enum Kind {
    OBJECT,
    LIST,
    WATCH
  }

  /**
   * @param accept the Accept header, or ""
   * @param userAgent the client's own name; browsers and curl get their JSON indented
   */
  public Representation of(
      String accept, String userAgent, Query query, ResourceType type, Kind kind) {
    var negotiated =
        kind == Kind.WATCH ? Negotiated.ofWatch(accept) : Negotiated.of(accept, kind == Kind.LIST);
    boolean pretty =
        kind != Kind.WATCH
            && (negotiated.pretty() || Negotiated.isPretty(query.first("pretty"), userAgent));
    boolean plain =
        negotiated.encoding() == Encoding.JSON
            && negotiated.target() == Negotiated.Target.OBJECT
            && type.kind().equals(type.stored())
            && !pretty;
    if (!plain) {
      return new TreeRepresentation(type, negotiated, pretty, query, clock);
    }
    var known = json.get(type.kind());
    return known != null
        ? known
        : json.computeIfAbsent(type.kind(), ignored -> new JsonRepresentation(type));
  }
}
