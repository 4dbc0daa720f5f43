package dev.muster.server.watch;

import dev.muster.registry.read.Selection;
import dev.muster.replica.object.StoredObject;
import dev.muster.server.answer.WatchEncoding;
import dev.muster.server.request.RequestAuthorization;
import dev.muster.types.ServedType;
import dev.muster.types.Types;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a client wants to watch.
 *
 * @param type what is watched; when it goes away or changes, the watch ends
 * @param afterRevision the first event is the first one after this revision
 * @param initial the objects that are sent first
 * @param initialAtHand whether they are found and encoded in no time
 * @param endsInitial whether a bookmark marks the end of the initial objects
 * @param authorization by what it is allowed; null when it goes on whatever becomes of that
 */
public record WatchRequest(
    ServedType type,
    Selection selection,
    long afterRevision,
    Iterable<StoredObject> initial,
    boolean initialAtHand,
    WatchObserver observer,
    boolean endsInitial,
    boolean bookmarks,
    Duration timeout,
    WatchEncoding encoding,
    @Nullable RequestAuthorization authorization) {

  /** The collection. */
  String storage() {
    return type.storage();
  }

  /** The same without the objects that are sent first: they have been. */
  WatchRequest withoutInitial() {
    return new WatchRequest(
        type,
        selection,
        afterRevision,
        List.of(),
        initialAtHand,
        observer,
        endsInitial,
        bookmarks,
        timeout,
        encoding,
        authorization);
  }

  /** Whether its type is among those of that moment. */
  boolean isServedBy(Types types) {
    var kind = type.kind();
    var now = types.find(kind.group(), kind.version(), type.plural());
    return now == type || (now != null && shows(now));
  }

  /** A definition that is about to go takes its objects with it, and watchers see them go. */
  private boolean shows(ServedType now) {
    var before = type.definition();
    var definition = now.definition();
    return before != null && definition != null && definition.showsTheSameAs(before);
  }
}
