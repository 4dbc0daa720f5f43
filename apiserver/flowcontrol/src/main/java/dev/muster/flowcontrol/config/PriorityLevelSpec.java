package dev.muster.flowcontrol.config;

import dev.muster.model.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * A compiled PriorityLevelConfiguration. Immutable.
 *
 * @param uid "" when the object does not exist and its mandatory content applies
 * @param exempt whether its requests never wait
 * @param lendablePercent the part of its seats that other levels may borrow
 * @param borrowingPercent how much it may borrow from other levels, or null for no limit
 * @param queuing null when requests without a seat are refused
 */
public record PriorityLevelSpec(
    String name,
    String uid,
    boolean exempt,
    int shares,
    int lendablePercent,
    @Nullable Integer borrowingPercent,
    @Nullable Queuing queuing) {

  /** The queues for requests without a seat. */
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

  /** The capacity of all queues together. */
  public long mostWaiting() {
    return queuing == null ? 0 : (long) queuing.queues() * queuing.lengthLimit();
  }

  /** The number of queues; 0 when requests do not wait. */
  public int queues() {
    return queuing == null ? 0 : queuing.queues();
  }
}
