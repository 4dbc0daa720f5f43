package dev.muster.it.history;

import java.util.ArrayList;
import java.util.List;

/** Safe for any thread. What all clients of a test did and saw. */
public final class History {
  private final List<Observation> observations = new ArrayList<>();
  private long acknowledged;

  public synchronized void add(Observation observation) {
    observations.add(observation);
    if (observation instanceof Observation.Write write
        && write.outcome() == Observation.Outcome.ACKNOWLEDGED) {
      acknowledged++;
    }
  }

  /** How many writes were acknowledged so far. */
  public synchronized long acknowledged() {
    return acknowledged;
  }

  public synchronized List<Observation> all() {
    return List.copyOf(observations);
  }

  /** How many observations of a kind there are. */
  public synchronized long count(Class<? extends Observation> kind) {
    return observations.stream().filter(kind::isInstance).count();
  }
}
