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

  /**
   * @param accept the Accept header, or ""
   * @param collection whether the answer is a list or a watch
   */
  public Representation of(String accept, Query query, ResourceType type, boolean collection) {
    var negotiated = Negotiated.of(accept, collection);
    boolean plain =
        negotiated.encoding() == Encoding.JSON
            && negotiated.target() == Negotiated.Target.OBJECT
            && type.kind().equals(type.stored())
            && !query.isTrue("pretty");
    if (!plain) {
      return new TreeRepresentation(type, negotiated, query, clock);
    }
    var known = json.get(type.kind());
    return known != null
        ? known
        : json.computeIfAbsent(type.kind(), kind -> new JsonRepresentation(type));
  }
}
