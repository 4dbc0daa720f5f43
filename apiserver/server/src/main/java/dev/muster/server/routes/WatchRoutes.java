package dev.muster.server.routes;

import dev.muster.http.HttpStream;
import dev.muster.registry.read.ListPage;
import dev.muster.registry.read.Selection;
import dev.muster.registry.request.ResourceRequest;
import dev.muster.replica.object.StoredObject;
import dev.muster.server.answer.ResponseEncoder;
import dev.muster.server.answer.ResponseEncoders.Kind;
import dev.muster.server.answer.WatchEncoding;
import dev.muster.server.metrics.RequestMetrics;
import dev.muster.server.request.Request;
import dev.muster.server.watch.BareFrames;
import dev.muster.server.watch.WatchHub;
import dev.muster.server.watch.WatchObserver;
import dev.muster.server.watch.WatchRequest;
import dev.muster.types.ServedType;
import dev.muster.types.options.ListOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Answers watch on the event loop, and never blocks it. A watch begins as soon as its initial
 * objects are available.
 */
public final class WatchRoutes {
  /** Decades, and still small enough to be added to a time. */
  private static final int LONGEST_SECONDS = Integer.MAX_VALUE;

  private final ReadContext context;
  private final WatchHub watches;
  private final RequestMetrics metrics;
  private final Policy policy;

  /**
   * The rules for the end of watches.
   *
   * @param minSeconds the shortest duration of a watch that states no timeout
   * @param reauthorizes whether a watch ends when its user loses the permission
   */
  public record Policy(int minSeconds, boolean reauthorizes) {}

  public WatchRoutes(ReadContext context, WatchHub watches, RequestMetrics metrics, Policy policy) {
    this.context = context;
    this.watches = watches;
    this.metrics = metrics;
    this.policy = policy;
  }

  public void watch(Request request, ResourceRequest resourceRequest) {
    var responseEncoder = context.representation(request, resourceRequest, Kind.WATCH);
    ReadContext.select(
        request,
        resourceRequest,
        true,
        (options, selection) ->
            watch(request, resourceRequest, responseEncoder, options, selection));
  }

  private void watch(
      Request request,
      ResourceRequest resourceRequest,
      ResponseEncoder responseEncoder,
      ListOptions options,
      Selection selection) {
    boolean fromState =
        options.resourceVersion().isEmpty()
            || options.resourceVersion().equals("0")
            || options.sendInitialEvents();
    if (!fromState) {
      long revision = context.reads().revision(options.resourceVersion());
      start(
          request,
          resourceRequest,
          responseEncoder,
          options,
          new Beginning(selection, revision, List.of(), true));
      return;
    }
    context.onSnapshot(
        request,
        resourceRequest,
        context.reads().forList(options.withoutPaging(), resourceRequest.type().storage()),
        snapshot -> {
          ReadContext.warnOfUnreadable(request, resourceRequest, snapshot);
          var page =
              ListPage.of(snapshot, resourceRequest.type(), selection, options.withoutPaging());
          boolean wantsState =
              options.sendInitialEvents() || !request.query().has("sendInitialEvents");
          start(
              request,
              resourceRequest,
              responseEncoder,
              options,
              new Beginning(
                  selection,
                  snapshot.revision(),
                  wantsState ? page.objects() : List.of(),
                  responseEncoder.sharesJson()
                      && selection.comparisons(
                              snapshot.collection(resourceRequest.type().storage()))
                          <= ReadContext.FEW));
        });
  }

  /**
   * The content and start of a watch.
   *
   * @param initial the objects to send before the first event
   * @param initialAtHand whether the event loop itself may produce the initial objects
   */
  private record Beginning(
      Selection selection, long revision, Iterable<StoredObject> initial, boolean initialAtHand) {}

  private void start(
      Request request,
      ResourceRequest resourceRequest,
      ResponseEncoder responseEncoder,
      ListOptions options,
      Beginning beginning) {
    var watch =
        new WatchRequest(
            resourceRequest.type(),
            beginning.selection(),
            beginning.revision(),
            beginning.initial(),
            beginning.initialAtHand(),
            observer(request, resourceRequest.type()),
            options.sendInitialEvents() && options.allowWatchBookmarks(),
            options.allowWatchBookmarks(),
            timeout(options),
            encoding(request, responseEncoder),
            policy.reauthorizes() ? request.authorization() : null);
    watches.start(
        request.exchange().eventLoop(), () -> open(request, responseEncoder.streamType()), watch);
  }

  private WatchObserver observer(Request request, ServedType type) {
    var open = metrics.openWatches(request.info());
    var seat = request.seat();
    var sent = metrics.watchEvents(type);
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
      public void delivered(int bytes) {
        sent.event(bytes);
      }

      @Override
      public void closed() {
        open.decrement();
        seat.watchClosed();
      }
    };
  }

  private static WatchEncoding encoding(Request request, ResponseEncoder responseEncoder) {
    var encoding = responseEncoder.watch();
    boolean framed = responseEncoder.streamType().contains("protobuf");
    return framed && request.exchange().wantsWebSocket() ? new BareFrames(encoding) : encoding;
  }

  /**
   * Opens a WebSocket with one message per event if the client requests one, otherwise a stream.
   */
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
      return Duration.ofSeconds(Math.clamp(options.timeoutSeconds(), 0, LONGEST_SECONDS));
    }
    double spread = 1 + ThreadLocalRandom.current().nextDouble();
    return Duration.ofMillis((long) (policy.minSeconds() * 1000L * spread));
  }
}
