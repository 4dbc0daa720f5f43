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
 * The parameters of one watch.
 *
 * @param type the watched type; when it goes away or changes, the watch ends
 * @param afterRevision the first event is the first one after this revision
 * @param initial the objects that are sent first
 * @param initialAtHand whether the event loop itself may find and encode the initial objects
 * @param endsInitial whether a bookmark marks the end of the initial objects
 * @param authorization the decision that allows the watch; null when the watch continues even if
 *     its user loses the permission
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

  /** The name of the collection. */
  String storage() {
    return type.storage();
  }

  /** The same request without the initial objects, after they were sent. */
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

  /** Whether its type is among the given types. */
  boolean isServedBy(Types types) {
    var kind = type.kind();
    var now = types.find(kind.group(), kind.version(), type.plural());
    return now == type || (now != null && shows(now));
  }

  /**
   * Whether the changed type still shows the same objects. The definition may be about to be
   * deleted: its objects go first, and the watch delivers their deletion.
   */
  private boolean shows(ServedType now) {
    var before = type.definition();
    var definition = now.definition();
    return before != null && definition != null && definition.showsTheSameAs(before);
  }
}
