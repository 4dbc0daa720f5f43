package dev.muster.server.routes;

import dev.muster.registry.read.Selection;
import dev.muster.registry.read.SnapshotSelector;
import dev.muster.registry.request.ResourceRequest;
import dev.muster.replica.snapshot.ReplicaException;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.server.answer.ResponseEncoder;
import dev.muster.server.answer.ResponseEncoders;
import dev.muster.server.answer.ResponseEncoders.Kind;
import dev.muster.server.request.Request;
import dev.muster.server.request.SnapshotWaiter;
import dev.muster.types.Types;
import dev.muster.types.options.ListOptions;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * What get, list and watch have in common: how a request is negotiated and read, and what it is
 * answered from.
 */
public record ReadContext(
    SnapshotSelector reads, SnapshotWaiter waits, ResponseEncoders representations) {
  /** So many objects are looked at in no time. */
  static final int FEW = 1_000;

  private static final int MOST_UNREADABLE_NAMED = 10;

  /** A query of so many characters is read in no time. */
  private static final int SHORT_QUERY = 4096;

  /** What a request wants to see. */
  interface Selected {
    void accept(ListOptions options, Selection selection);
  }

  ResponseEncoder representation(Request request, ResourceRequest resourceRequest, Kind kind) {
    return representations.of(
        request.header("accept"),
        request.header("user-agent"),
        request.query(),
        resourceRequest.type(),
        resourceRequest.subresource(),
        kind);
  }

  /** Reads what a request wants to see; long selectors are read elsewhere. */
  static void select(
      Request request, ResourceRequest resourceRequest, boolean watch, Selected next) {
    if (request.exchange().query().length() <= SHORT_QUERY) {
      var options = ListOptions.parse(request.query(), watch);
      next.accept(
          options,
          Selection.of(
              resourceRequest.type(),
              resourceRequest.namespace(),
              resourceRequest.name(),
              options));
      return;
    }
    request.runOnCpuPool(
        () -> {
          var options = ListOptions.parse(request.query(), watch);
          var selection =
              Selection.of(
                  resourceRequest.type(),
                  resourceRequest.namespace(),
                  resourceRequest.name(),
                  options);
          request.onLoop(() -> next.accept(options, selection));
        });
  }

  /** Goes on with that snapshot when it is there, if the type is still the same in it. */
  void onSnapshot(
      Request request,
      ResourceRequest resourceRequest,
      CompletableFuture<Snapshot> wanted,
      Consumer<Snapshot> next) {
    waits.whenReady(
        request,
        wanted,
        snapshot -> {
          if (isOutdated(resourceRequest, snapshot)) {
            request.reroute();
          } else {
            next.accept(snapshot);
          }
        });
  }

  /**
   * Whether the type was found in a snapshot that is older than the one that is read, and is not
   * the same there. An old snapshot has no types, but says itself when it has no such objects.
   */
  static boolean isOutdated(ResourceRequest resourceRequest, Snapshot snapshot) {
    if (!resourceRequest.type().isCustom()) {
      return false;
    }
    try {
      return Types.in(snapshot).now(resourceRequest.type()) != resourceRequest.type();
    } catch (ReplicaException.Expired e) {
      return false;
    }
  }

  /** Who sees a list without an object that is there must know that it is. */
  static void warnOfUnreadable(
      Request request, ResourceRequest resourceRequest, Snapshot snapshot) {
    var unreadable = snapshot.collection(resourceRequest.type().storage()).unreadable();
    unreadable.stream()
        .filter(
            object ->
                resourceRequest.namespace().isEmpty()
                    || resourceRequest.namespace().equals(object.name().namespace()))
        .limit(MOST_UNREADABLE_NAMED)
        .forEach(
            object ->
                request.warn(
                    "the value of key " + object.key() + " cannot be decoded: it is left out"));
  }
}
