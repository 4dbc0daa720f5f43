package dev.muster.server.routes;

import dev.muster.model.status.ApiException;
import dev.muster.registry.options.ListOptions;
import dev.muster.registry.read.ListPage;
import dev.muster.registry.read.Reads;
import dev.muster.registry.read.Selection;
import dev.muster.registry.request.Call;
import dev.muster.registry.types.ServedType;
import dev.muster.registry.types.Types;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.snapshot.ReplicaException;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.server.answer.Representation;
import dev.muster.server.answer.Representations;
import dev.muster.server.answer.Representations.Kind;
import dev.muster.server.answer.WatchEncoding;
import dev.muster.server.http.HttpStream;
import dev.muster.server.metrics.RequestMetrics;
import dev.muster.server.request.Request;
import dev.muster.server.request.SnapshotWaits;
import dev.muster.server.watch.BareFrames;
import dev.muster.server.watch.WatchHub;
import dev.muster.server.watch.WatchObserver;
import dev.muster.server.watch.WatchRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Answers get, list and watch. On the event loop what is at hand is answered at once, what has to
 * be waited for is answered when it is there, and nothing blocks; what takes long because of what
 * the client asks for is made elsewhere.
 */
public final class ReadRoutes {
  private static final int MOST_UNREADABLE_NAMED = 10;

  /** Decades, and still a number that can be added to a time. */
  private static final int LONGEST_WATCH_SECONDS = Integer.MAX_VALUE;

  /** So many objects are looked at in no time. */
  private static final int FEW = 1_000;

  /** A query of so many characters is read in no time. */
  private static final int SHORT_QUERY = 4096;

  private final Reads reads;
  private final SnapshotWaits waits;
  private final Representations representations;
  private final WatchHub watches;
  private final ComponentRoutes components;
  private final RequestMetrics metrics;
  private final int minWatchSeconds;
  private final boolean reauthorizes;

  /**
   * @param reauthorizes whether watches end when the right to watch is gone
   */
  public ReadRoutes(
      Reads reads,
      SnapshotWaits waits,
      Representations representations,
      WatchHub watches,
      ComponentRoutes components,
      RequestMetrics metrics,
      int minWatchSeconds,
      boolean reauthorizes) {
    this.reads = reads;
    this.waits = waits;
    this.representations = representations;
    this.watches = watches;
    this.components = components;
    this.metrics = metrics;
    this.minWatchSeconds = minWatchSeconds;
    this.reauthorizes = reauthorizes;
  }

  public void get(Request request, Call call) {
    var representation = representation(request, call, Kind.OBJECT);
    if (request.query().isTrue("export")) {
      throw ApiException.badRequest(
          "the export parameter, deprecated since v1.14, is no longer supported");
    }
    if (ComponentRoutes.isFor(call)) {
      components.get(request, call, representation);
      return;
    }
    var snapshot = reads.forGet(request.query().first("resourceVersion"));
    waits.whenReady(
        request,
        snapshot,
        found -> {
          if (isOutdated(call, found)) {
            request.reroute();
            return;
          }
          var object = find(call, found);
          var type = representation.contentType();
          if (representation.isAtHand(object)) {
            request.answer(200, type, representation.object(object));
          } else {
            request.make(() -> request.answer(200, type, representation.parts(object)));
          }
        });
  }

  private Representation representation(Request request, Call call, Kind kind) {
    return representations.of(
        request.header("accept"),
        request.header("user-agent"),
        request.query(),
        call.type(),
        call.subresource(),
        kind);
  }

  /**
   * Whether the type was found in a snapshot that is older than the one that is read, and is not
   * the same there. An old snapshot has no types, but says itself when it has no such objects.
   */
  static boolean isOutdated(Call call, Snapshot snapshot) {
    if (!call.type().isCustom()) {
      return false;
    }
    try {
      return Types.in(snapshot).now(call.type()) != call.type();
    } catch (ReplicaException.Expired e) {
      return false;
    }
  }

  static StoredObject find(Call call, Snapshot snapshot) {
    var object = snapshot.collection(call.type().storage()).get(call.namespace(), call.name());
    if (object == null) {
      call.checkName();
      throw ApiException.notFound(call.type().groupResource(), call.name());
    }
    return object;
  }

  public void list(Request request, Call call) {
    var representation = representation(request, call, Kind.LIST);
    selected(
        request,
        call,
        false,
        (options, selection) -> list(request, call, representation, options, selection));
  }

  private void list(
      Request request,
      Call call,
      Representation representation,
      ListOptions options,
      Selection selection) {
    if (ComponentRoutes.isFor(call)) {
      components.list(request, selection, representation);
      return;
    }
    waits.whenReady(
        request,
        reads.forList(options, call.type().storage()),
        snapshot -> {
          if (isOutdated(call, snapshot)) {
            request.reroute();
            return;
          }
          warnOfUnreadable(request, call, snapshot);
          var collection = snapshot.collection(call.type().storage());
          if (options.limit() <= FEW && selection.comparisons(collection) <= FEW) {
            var page = ListPage.of(snapshot, call.type(), selection, options);
            if (representation.isAtHand(page)) {
              answer(request, representation, page);
            } else {
              request.make(() -> answer(request, representation, page));
            }
          } else {
            request.make(
                () ->
                    answer(
                        request,
                        representation,
                        ListPage.of(snapshot, call.type(), selection, options)));
          }
        });
  }

  private static void answer(Request request, Representation representation, ListPage page) {
    request.answer(200, representation.contentType(), representation.list(page));
  }

  /** What a request wants to see; long selectors are read elsewhere. */
  private interface Selected {
    void accept(ListOptions options, Selection selection);
  }

  private void selected(Request request, Call call, boolean watch, Selected next) {
    if (request.exchange().query().length() <= SHORT_QUERY) {
      var options = ListOptions.parse(request.query(), watch);
      next.accept(options, Selection.of(call.type(), call.namespace(), call.name(), options));
      return;
    }
    request.elsewhere(
        () -> {
          var options = ListOptions.parse(request.query(), watch);
          var selection = Selection.of(call.type(), call.namespace(), call.name(), options);
          request.onLoop(() -> next.accept(options, selection));
        });
  }

  /** Who sees a list without an object that is there must know that it is. */
  private static void warnOfUnreadable(Request request, Call call, Snapshot snapshot) {
    var unreadable = snapshot.collection(call.type().storage()).unreadable();
    unreadable.stream()
        .filter(
            object ->
                call.namespace().isEmpty() || call.namespace().equals(object.name().namespace()))
        .limit(MOST_UNREADABLE_NAMED)
        .forEach(
            object ->
                request.warn(
                    "the value of key " + object.key() + " cannot be decoded: it is left out"));
  }

  public void watch(Request request, Call call) {
    var representation = representation(request, call, Kind.WATCH);
    selected(
        request,
        call,
        true,
        (options, selection) -> watch(request, call, representation, options, selection));
  }

  private void watch(
      Request request,
      Call call,
      Representation representation,
      ListOptions options,
      Selection selection) {
    boolean fromState =
        options.resourceVersion().isEmpty()
            || options.resourceVersion().equals("0")
            || options.sendInitialEvents();
    if (!fromState) {
      long revision = reads.revision(options.resourceVersion());
      start(request, call, representation, options, selection, revision, List.of(), true);
      return;
    }
    waits.whenReady(
        request,
        reads.forList(options.withoutPaging(), call.type().storage()),
        snapshot -> {
          if (isOutdated(call, snapshot)) {
            request.reroute();
            return;
          }
          warnOfUnreadable(request, call, snapshot);
          var page = ListPage.of(snapshot, call.type(), selection, options.withoutPaging());
          boolean wantsState =
              options.sendInitialEvents() || !request.query().has("sendInitialEvents");
          start(
              request,
              call,
              representation,
              options,
              selection,
              snapshot.revision(),
              wantsState ? page.objects() : List.of(),
              representation.sharesJson()
                  && selection.comparisons(snapshot.collection(call.type().storage())) <= FEW);
        });
  }

  private void start(
      Request request,
      Call call,
      Representation representation,
      ListOptions options,
      Selection selection,
      long revision,
      Iterable<StoredObject> initial,
      boolean initialAtHand) {
    var watch =
        new WatchRequest(
            call.type(),
            selection,
            revision,
            initial,
            initialAtHand,
            observer(request, call.type()),
            options.sendInitialEvents() && options.allowWatchBookmarks(),
            options.allowWatchBookmarks(),
            timeout(options),
            encoding(request, representation),
            reauthorizes ? request.authorization() : null);
    watches.start(
        request.exchange().eventLoop(), () -> open(request, representation.streamType()), watch);
  }

  private WatchObserver observer(Request request, ServedType type) {
    var open = metrics.openWatches(request.info());
    var seat = request.seat();
    return new WatchObserver() {
      @Override
      public void opened() {
        open.increment();
        seat.watchOpened();
      }

      @Override
      public void initialised() {
        seat.watchInitialised();
      }

      @Override
      public void sentInitial(int objects) {
        metrics.initialEvents(type).add(objects);
      }

      @Override
      public void closed() {
        open.decrement();
        seat.watchClosed();
      }
    };
  }

  private static WatchEncoding encoding(Request request, Representation representation) {
    var encoding = representation.watch();
    boolean framed = representation.streamType().contains("protobuf");
    return framed && request.exchange().wantsWebSocket() ? new BareFrames(encoding) : encoding;
  }

  /** A WebSocket, one message for each event, where the client asks for one. */
  private static HttpStream open(Request request, String type) {
    var exchange = request.exchange();
    if (!exchange.wantsWebSocket()) {
      return exchange.stream(request.head(200, type));
    }
    boolean text = type.startsWith("application/json");
    return exchange.webSocket(request.head(101, type).headers(), text);
  }

  private Duration timeout(ListOptions options) {
    if (options.timeoutSeconds() != 0) {
      return Duration.ofSeconds(Math.clamp(options.timeoutSeconds(), 0, LONGEST_WATCH_SECONDS));
    }
    double spread = 1 + ThreadLocalRandom.current().nextDouble();
    return Duration.ofMillis((long) (minWatchSeconds * 1000L * spread));
  }
}
