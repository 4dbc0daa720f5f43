package dev.muster.flowcontrol.config;

import dev.muster.model.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * A compiled PriorityLevelConfiguration. Immutable.
 *
 * @param uid "" when the object is missing and its fixed content is in force all the same
 * @param exempt whether its requests never wait
 * @param lendablePercent how much of its seats others may have
 * @param borrowingPercent how much it may have of others', or null for no limit
 * @param queuing null when requests that find no seat are sent away
 */
public record PriorityLevelSpec(
    String name,
    String uid,
    boolean exempt,
    int shares,
    int lendablePercent,
    @Nullable Integer borrowingPercent,
    @Nullable Queuing queuing) {

  /** Where requests wait that find no seat. */
  public record Queuing(int queues, int handSize, int lengthLimit) {}

  public static PriorityLevelSpec of(JsonObject object) {
    var spec = object.object("spec");
    boolean exempt = spec.string("type").equals("Exempt");
    var body = spec.object(exempt ? "exempt" : "limited");
    var response = body.object("limitResponse");
    var queuing = response.object("queuing");
    return new PriorityLevelSpec(
        object.object("metadata").string("name"),
        object.object("metadata").string("uid"),
        exempt,
        (int) body.integer("nominalConcurrencyShares", exempt ? 0 : 30),
        (int) body.integer("lendablePercent", 0),
        body.has("borrowingLimitPercent") ? (int) body.integer("borrowingLimitPercent", 0) : null,
        response.string("type").equals("Queue")
            ? new Queuing(
                (int) queuing.integer("queues", 64),
                (int) queuing.integer("handSize", 8),
                (int) queuing.integer("queueLengthLimit", 50))
            : null);
  }

  /** How many requests there is room for in all queues. */
  public long mostWaiting() {
    return queuing == null ? 0 : (long) queuing.queues() * queuing.lengthLimit();
  }

  /** How many queues there are; 0 when nobody waits. */
  public int queues() {
    return queuing == null ? 0 : queuing.queues();
  }
}
