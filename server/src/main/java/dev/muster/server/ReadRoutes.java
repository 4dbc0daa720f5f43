package dev.muster.server;

import dev.muster.model.ApiException;
import dev.muster.registry.Call;
import dev.muster.registry.Commits;
import dev.muster.registry.ListOptions;
import dev.muster.registry.ListPage;
import dev.muster.registry.Reads;
import dev.muster.registry.Selection;
import dev.muster.replica.Snapshot;
import dev.muster.replica.StoredObject;
import dev.muster.server.answer.Representation;
import dev.muster.server.answer.Representations;
import dev.muster.server.answer.Representations.Kind;
import dev.muster.server.http.HttpStream;
import dev.muster.server.watch.BareFrames;
import dev.muster.server.watch.WatchEncoding;
import dev.muster.server.watch.WatchHub;
import dev.muster.server.watch.WatchRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Answers get, list and watch. On the event loop what is at hand is answered at once, what has to
 * be waited for is answered when it is there, and nothing blocks; what takes long because of what
 * the client asks for is made elsewhere.
 */
final class ReadRoutes {
  /** So many objects are looked at in no time. */
  private static final int FEW = 1_000;

  /** A query of so many characters is read in no time. */
  private static final int SHORT_QUERY = 4096;

  private final Reads reads;
  private final Representations representations;
  private final WatchHub watches;
  private final ComponentRoutes components;
  private final RequestMetrics metrics;
  private final int minWatchSeconds;
  private final Duration patience;

  /**
   * @param patience how long a request waits for the store
   */
  ReadRoutes(
      Reads reads,
      Representations representations,
      WatchHub watches,
      ComponentRoutes components,
      RequestMetrics metrics,
      int minWatchSeconds,
      Duration patience) {
    this.reads = reads;
    this.representations = representations;
    this.watches = watches;
    this.components = components;
    this.metrics = metrics;
    this.minWatchSeconds = minWatchSeconds;
    this.patience = patience;
  }

  void get(Request request, Call call) {
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
    whenReady(
        request,
        snapshot,
        found -> {
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

  static StoredObject find(Call call, Snapshot snapshot) {
    var object = snapshot.collection(call.type().storage()).get(call.namespace(), call.name());
    if (object == null) {
      call.checkName();
      throw ApiException.notFound(call.type().groupResource(), call.name());
    }
    return object;
  }

  void list(Request request, Call call) {
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
    whenReady(
        request,
        reads.forList(options),
        snapshot -> {
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

  void watch(Request request, Call call) {
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
    whenReady(
        request,
        reads.forList(options.withoutPaging()),
        snapshot -> {
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
            call.type().storage(),
            selection,
            revision,
            initial,
            initialAtHand,
            metrics.openWatches(request.info()),
            options.sendInitialEvents() && options.allowWatchBookmarks(),
            options.allowWatchBookmarks(),
            timeout(options),
            encoding(request, representation));
    watches.start(request.exchange(), () -> open(request, representation.streamType()), watch);
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
      return Duration.ofSeconds(Math.max(options.timeoutSeconds(), 0));
    }
    double spread = 1 + ThreadLocalRandom.current().nextDouble();
    return Duration.ofMillis((long) (minWatchSeconds * 1000L * spread));
  }

  /** Goes on with the snapshot on the event loop, now or later, but not too late. */
  private void whenReady(
      Request request, CompletableFuture<Snapshot> future, Consumer<Snapshot> action) {
    if (future.isDone() && !future.isCompletedExceptionally()) {
      action.accept(future.join());
      return;
    }
    var loop = request.exchange().eventLoop();
    var late =
        loop.schedule(() -> request.fail(Commits.late()), patience.toNanos(), TimeUnit.NANOSECONDS);
    future.whenCompleteAsync(
        (snapshot, failure) -> {
          if (!late.cancel(false)) {
            return;
          }
          try {
            if (failure != null) {
              request.fail(failure);
            } else {
              action.accept(snapshot);
            }
          } catch (RuntimeException | Error e) {
            request.fail(e);
          }
        },
        loop);
  }
}
