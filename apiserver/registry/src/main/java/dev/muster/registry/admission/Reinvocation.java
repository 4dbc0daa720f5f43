package dev.muster.registry.admission;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * For the thread of one request: whether those who mutate are asked once more because somebody
 * after them changed the object, and what they remember of the first round. There is no third.
 */
public final class Reinvocation {
  private final Map<Class<?>, Object> memories = new HashMap<>();
  private boolean wanted;
  private boolean second;

  /** Somebody changed the object in a way that others may want to see. */
  public void request() {
    wanted = true;
  }

  public boolean isRequested() {
    return wanted;
  }

  /** From now on it is the second round. */
  public void begin() {
    second = true;
  }

  public boolean isSecondRound() {
    return second;
  }

  /** What a plugin remembers of this request, by the type of that. */
  public <T> T memory(Class<T> type, Supplier<T> made) {
    return type.cast(memories.computeIfAbsent(type, ignored -> made.get()));
  }
}
