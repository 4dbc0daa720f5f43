package dev.muster.server.watch;

import dev.muster.registry.read.Selection;
import dev.muster.replica.object.EventKind;
import dev.muster.replica.snapshot.WatchEvent;
import org.jspecify.annotations.Nullable;

/** Decides which kind of event a watch with a selector receives for a change. */
final class WatchFilter {
  private WatchFilter() {}

  /** Null when the watch receives nothing. */
  static @Nullable EventKind kind(WatchEvent event, Selection selection) {
    var object = event.object();
    var previous = event.previous();
    boolean before = previous != null && selection.matches(previous);
    boolean now = object != null && selection.matches(object);
    if (now) {
      return before ? EventKind.MODIFIED : EventKind.ADDED;
    }
    return before ? EventKind.DELETED : null;
  }
}
