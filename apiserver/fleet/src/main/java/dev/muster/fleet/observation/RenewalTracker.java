package dev.muster.fleet.observation;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Measures how long values that others renew stay unchanged, as this server has observed them. One
 * thread uses it. No clock of another machine matters.
 *
 * @param <V> the value that changes on renewal
 */
public final class RenewalTracker<V> {
  private record Seen<V>(V value, Duration unchanged, boolean changes) {}

  private Map<String, Seen<V>> seen = Map.of();

  /**
   * Checks all current values.
   *
   * @param elapsed the time since the last check in which this server would have seen a change
   */
  public void check(Map<String, V> things, Duration elapsed) {
    var next = new HashMap<String, Seen<V>>();
    things.forEach(
        (name, value) -> {
          var before = seen.get(name);
          if (before == null) {
            next.put(name, new Seen<>(value, Duration.ZERO, false));
          } else if (before.value().equals(value)) {
            next.put(name, new Seen<>(value, before.unchanged().plus(elapsed), before.changes()));
          } else {
            next.put(name, new Seen<>(value, Duration.ZERO, true));
          }
        });
    seen = next;
  }

  /** Resets all times, after an interruption in which changes could not be seen. */
  public void startAnew() {
    var next = new HashMap<String, Seen<V>>();
    seen.forEach(
        (name, thing) -> next.put(name, new Seen<>(thing.value(), Duration.ZERO, thing.changes())));
    seen = next;
  }

  /** How long the value was seen unchanged; zero when it is new. */
  public Duration unchangedFor(String name) {
    var found = seen.get(name);
    return found == null ? Duration.ZERO : found.unchanged();
  }

  /** Whether the value was ever seen to change. */
  public boolean changes(String name) {
    var found = seen.get(name);
    return found != null && found.changes();
  }

  /** The value at the last check, or null. */
  public @Nullable V last(String name) {
    var found = seen.get(name);
    return found == null ? null : found.value();
  }
}
