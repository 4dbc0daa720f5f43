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
 * The parts that get, list and watch share: content negotiation, the parsing of options, and the
 * choice of the snapshot.
 */
public record ReadContext(
    SnapshotSelector reads, SnapshotWaiter waits, ResponseEncoders representations) {
  /** The event loop itself goes through up to this number of objects. */
  static final int FEW = 1_000;

  private static final int MOST_UNREADABLE_NAMED = 10;

  /** The event loop itself parses a query of up to this number of characters. */
  private static final int SHORT_QUERY = 4096;

  /** Receives the options and the selection of a request. */
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

  /** Parses the options and selectors of a request; the CPU pool parses long ones. */
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

  /** Continues when that snapshot is available, if the request's type is unchanged in it. */
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
   * Whether the type was found in an older snapshot than the one that is read, and differs there.
   * Old snapshots have no types; they report themselves when they lack the collection.
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

  /** Warns the client of each object that the list leaves out because it cannot be decoded. */
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
