package dev.muster.fleet.observation;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One thread owns it. How long things that others renew have stayed as they are, as far as this
 * server has seen itself. Nobody's clock matters, neither ours nor that of those who renew.
 *
 * @param <V> what changes when a thing is renewed
 */
public final class RenewalTracker<V> {
  private record Seen<V>(V value, Duration unchanged, boolean changes) {}

  private Map<String, Seen<V>> seen = Map.of();

  /**
   * Looks at all things that there are now.
   *
   * @param elapsed how much time since the last look counts: time in which a change would have been
   *     seen
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

  /** After a time in which nothing could be seen: nobody has been silent yet. */
  public void startAnew() {
    var next = new HashMap<String, Seen<V>>();
    seen.forEach(
        (name, thing) -> next.put(name, new Seen<>(thing.value(), Duration.ZERO, thing.changes())));
    seen = next;
  }

  /** For how long that thing was seen to stay as it is; zero when it is new to us. */
  public Duration unchangedFor(String name) {
    var found = seen.get(name);
    return found == null ? Duration.ZERO : found.unchanged();
  }

  /** Whether that thing was ever seen to change. */
  public boolean changes(String name) {
    var found = seen.get(name);
    return found != null && found.changes();
  }

  /** What was there at the last look, or null. */
  public @Nullable V last(String name) {
    var found = seen.get(name);
    return found == null ? null : found.value();
  }
}
