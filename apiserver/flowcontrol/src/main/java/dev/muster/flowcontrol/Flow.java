package dev.muster.flowcontrol;

import org.jspecify.annotations.Nullable;

/**
 * The requests of one FlowSchema and one user or namespace. Thread-safe. Its cached values can be
 * computed again.
 */
public final class Flow {
  private record Hand(Dealer dealer, int[] queues) {}

  private final LevelSchema schema;
  private final String distinguisher;
  private final long hash;
  private @Nullable Hand hand;

  Flow(LevelSchema schema, String distinguisher) {
    this.schema = schema;
    this.distinguisher = distinguisher;
    this.hash = FlowHash.of(schema.schema().name(), distinguisher);
  }

  public LevelSchema schema() {
    return schema;
  }

  public PriorityLevel level() {
    return schema.level();
  }

  public String distinguisher() {
    return distinguisher;
  }

  /** The indexes of the queues that its requests may wait in. */
  int[] hand(Dealer dealer) {
    var known = hand;
    if (known == null || known.dealer != dealer) {
      known = new Hand(dealer, dealer.deal(hash));
      hand = known;
    }
    return known.queues;
  }
}
