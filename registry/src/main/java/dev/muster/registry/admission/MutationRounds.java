package dev.muster.registry.admission;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Belongs to one request. Whoever mutates may be asked a second time because somebody behind has
 * changed the object, and never a third time: so two that undo each other come to an end.
 */
public final class MutationRounds {
  private final Map<Object, Object> memories = new HashMap<>();
  private boolean second;
  private boolean wanted;

  /** Whether everybody was asked once before. */
  public boolean isSecond() {
    return second;
  }

  /** Asks for a second round after this one. */
  public void want() {
    wanted = true;
  }

  /** Begins the second round if it is wanted and not over. */
  public boolean goesOn() {
    boolean again = wanted && !second;
    second = true;
    return again;
  }

  /** What somebody has to remember from the first round to the second. */
  public <T> T memory(Object owner, Class<T> type, Supplier<T> maker) {
    return type.cast(memories.computeIfAbsent(owner, ignored -> maker.get()));
  }
}
