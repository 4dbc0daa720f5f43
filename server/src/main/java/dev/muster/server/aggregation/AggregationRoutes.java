package dev.muster.server.aggregation;

import dev.muster.registry.commit.Deadline;
import dev.muster.registry.connect.ServiceBackend;
import dev.muster.registry.types.SnapshotView;
import dev.muster.replica.Replica;
import dev.muster.server.http.HttpAnswer;
import dev.muster.server.http.HttpAnswer.Header;
import dev.muster.server.options.AggregatorOptions;
import dev.muster.server.proxy.BackendCall;
import dev.muster.server.proxy.BackendException;
import dev.muster.server.proxy.BackendRequest;
import dev.muster.server.proxy.BackendResponse;
import dev.muster.server.proxy.ProxyHeaders;
import dev.muster.server.proxy.ProxyPlaces;
import dev.muster.server.proxy.ProxyTimeouts;
import dev.muster.server.proxy.Relay;
import dev.muster.server.proxy.Tunnel;
import dev.muster.server.proxy.UpgradeRequest;
import dev.muster.server.proxy.Upload;
import dev.muster.server.request.Request;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes requests on to the API servers that answer for them, each on a virtual thread of its own.
 * A server that hangs holds up those who ask it and nobody else.
 */
public final class AggregationRoutes {
  private static final Logger LOG = LoggerFactory.getLogger(AggregationRoutes.class);
  private static final byte[] NOTHING = {};
  private static final String UNAVAILABLE = "service unavailable\n";
  private static final String REDIRECTED =
      "the backend attempted to redirect this request, which is not permitted";

  private final AggregatedApis apis;
  private final AggregatedBackends backends;
  private final Replica replica;
  private final Executor threads;
  private final boolean rejectsRedirects;
  private final Predicate<String> namesUser;
  private final ProxyTimeouts timeouts = ProxyTimeouts.standard();

  /** Of each server; those of servers that are gone are empty and go when somebody looks. */
  private final Map<AggregatedApi.ServiceReference, ProxyPlaces> places = new ConcurrentHashMap<>();

  /**
   * @param namesUser which headers, in lower case, say who somebody is
   */
  public AggregationRoutes(
      AggregatedApis apis,
      AggregatedBackends backends,
      Replica replica,
      Executor threads,
      AggregatorOptions options,
      Predicate<String> namesUser) {
    this.apis = apis;
    this.backends = backends;
    this.replica = replica;
    this.threads = threads;
    this.rejectsRedirects = options.rejectsRedirects();
    this.namesUser = namesUser;
  }

  public AggregatedApis apis() {
    return apis;
  }

  /**
   * Passes a whole request on. Called on the request's event loop.
   *
   * @throws dev.muster.model.status.ApiException 429 when too many are under way
   */
  public void pass(Request request, AggregatedApi api) {
    if (!api.available()) {
      request.answerText(503, UNAVAILABLE);
      return;
    }
    var place = places(api).take(request.user());
    var upload = new Upload();
    if (request.exchange().hasBody()) {
      request.exchange().receive(upload);
    }
    threads.execute(
        () -> {
          try (place) {
            connect(request, api, upload);
          } catch (RuntimeException | Error e) {
            request.fail(e);
          } finally {
            upload.stop();
          }
        });
  }

  private ProxyPlaces places(AggregatedApi api) {
    places.values().removeIf(unused -> places.size() > apis.all().size() && unused.taken() == 0);
    return places.computeIfAbsent(
        api.service(), service -> ProxyPlaces.standard("the API server behind " + service));
  }

  private void connect(Request request, AggregatedApi api, Upload upload) {
    try {
      var path = ForwardedPath.of(request.info().path());
      var destination =
          backends.destination(
              api, new SnapshotView(replica.current()), path, request.query().encoded());
      try (var call = backends.call(api, destination, timeouts)) {
        request.exchange().onCancel(call::cancel);
        answer(request, call, headers(request, destination.urlAuthority()), upload);
      }
    } catch (ServiceBackend.Missing e) {
      LOG.warn("nobody answers for {}: {}", api.name(), e.text());
      request.answerText(503, UNAVAILABLE);
    } catch (BackendException e) {
      unreached(request, e);
    }
  }

  private static void unreached(Request request, BackendException failure) {
    if (!isLong(request) && request.deadline().isOver()) {
      request.fail(Deadline.exceeded());
    } else {
      request.answerText(503, "error trying to reach service: " + failure.text() + "\n");
    }
  }

  /** Nothing that a client says about who it is passes. */
  private List<Header> headers(Request request, String host) throws BackendException {
    var headers = new ArrayList<Header>();
    for (var header : ProxyHeaders.forwarded(request.exchange(), host, request.info().path())) {
      if (!namesUser.test(header.name())) {
        headers.add(header);
      }
    }
    headers.addAll(RemoteUser.headers(request.user()));
    return headers;
  }

  private void answer(Request request, BackendCall call, List<Header> headers, Upload upload)
      throws BackendException {
    var exchange = request.exchange();
    boolean isLong = isLong(request);
    var patience = isLong ? timeouts.idle() : left(request);
    Future<?> watchdog =
        exchange.eventLoop().schedule(call::cancel, patience.toNanos(), TimeUnit.NANOSECONDS);
    try {
      call.connect();
      var protocol = UpgradeRequest.protocol(exchange);
      if (!protocol.isEmpty()) {
        switchTo(protocol, request, call, headers);
        return;
      }
      var response = response(request, call, headers, upload, patience);
      if (isLong) {
        watchdog.cancel(false);
      }
      if (rejectsRedirects && isRedirect(response)) {
        request.answer(
            502, "text/plain; charset=utf-8", REDIRECTED.getBytes(StandardCharsets.UTF_8));
        return;
      }
      passBack(request, call, response);
    } finally {
      watchdog.cancel(false);
    }
  }

  private BackendResponse response(
      Request request, BackendCall call, List<Header> headers, Upload upload, Duration patience)
      throws BackendException {
    var exchange = request.exchange();
    var sent = new BackendRequest(exchange.method(), headers, NOTHING);
    if (!exchange.hasBody()) {
      return call.send(sent, patience);
    }
    call.begin(sent, length(exchange.header("content-length")));
    threads.execute(() -> upload.run(call, true));
    return call.head(patience);
  }

  /** The length of the body, or -1 when the client does not know or say it. */
  private static long length(@Nullable String announced) {
    return announced != null && announced.matches("[0-9]{1,18}") ? Long.parseLong(announced) : -1;
  }

  private static void passBack(Request request, BackendCall call, BackendResponse response) {
    var returned = new ArrayList<Header>();
    returned.add(new Header("audit-id", request.auditId()));
    returned.addAll(request.seat().headers());
    returned.addAll(ProxyHeaders.returned(response));
    new Relay(request, call).stream(new HttpAnswer(response.status(), returned, List.of(), false));
  }

  /**
   * A server that does not agree answers as it likes, and gets no more than that request. What is
   * no error then makes no sense.
   */
  private void switchTo(String protocol, Request request, BackendCall call, List<Header> headers)
      throws BackendException {
    var exchange = request.exchange();
    var asked = new BackendRequest(exchange.method(), headers, NOTHING);
    var response = call.upgrade(asked, protocol, timeouts.handshake());
    if (response.status() == 101) {
      new Tunnel(request, call, threads).open(UpgradeRequest.agreed(response));
    } else if (response.status() >= 400) {
      passBack(request, call, response);
    } else {
      request.answerText(503, "invalid upgrade response: status code " + response.status() + "\n");
    }
  }

  /** Whether it takes as long as either side likes. */
  private static boolean isLong(Request request) {
    return request.info().isLong() || !UpgradeRequest.protocol(request.exchange()).isEmpty();
  }

  private static Duration left(Request request) {
    return Duration.ofNanos(Math.max(1, request.deadline().remainingNanos()));
  }

  private static boolean isRedirect(BackendResponse response) {
    return response.status() / 100 == 3
        && response.headers().stream()
            .anyMatch(header -> header.name().equals("location") && !header.value().isEmpty());
  }
}
