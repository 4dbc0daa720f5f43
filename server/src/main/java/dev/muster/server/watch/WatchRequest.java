package dev.muster.server.watch;

import dev.muster.registry.Selection;
import dev.muster.replica.StoredObject;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/**
 * What a client wants to watch.
 *
 * @param storage the collection
 * @param afterRevision the first event is the first one after this revision
 * @param initial the objects that are sent first
 * @param initialAtHand whether they are found and encoded in no time
 * @param open counts the open watches of this kind
 * @param endsInitial whether a bookmark marks the end of the initial objects
 */
public record WatchRequest(
    String storage,
    Selection selection,
    long afterRevision,
    Iterable<StoredObject> initial,
    boolean initialAtHand,
    LongAdder open,
    boolean endsInitial,
    boolean bookmarks,
    Duration timeout,
    WatchEncoding encoding) {}
