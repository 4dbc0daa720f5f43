package dev.muster.registry.admission;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Tracks whether mutating plugins run a second time for one request because a later plugin changed
 * the object, and keeps what plugins remember of the first round. There are at most two rounds.
 * Only the thread of the request uses it.
 */
public final class Reinvocation {
  private final Map<Class<?>, Object> memories = new HashMap<>();
  private boolean wanted;
  private boolean second;

  /** Requests a second round: a plugin changed the object. */
  public void request() {
    wanted = true;
  }

  public boolean isRequested() {
    return wanted;
  }

  /** Starts the second round. */
  public void begin() {
    second = true;
  }

  public boolean isSecondRound() {
    return second;
  }

  /** A plugin's memory of this request, identified by its type. */
  public <T> T memory(Class<T> type, Supplier<T> made) {
    return type.cast(memories.computeIfAbsent(type, ignored -> made.get()));
  }
}
