package dev.muster.bench.client;

import org.jspecify.annotations.Nullable;

/** What to send next; called on event loops, one call per connection at a time. */
@FunctionalInterface
public interface RequestSource {
  /** The next request of that connection; null when there is nothing more to do. */
  @Nullable PreparedRequest next(int connection);
}
