package dev.muster.server.aggregation;

import dev.muster.http.Header;
import dev.muster.registry.commit.Deadline;
import dev.muster.registry.connect.ServiceBackend;
import dev.muster.replica.Replica;
import dev.muster.server.options.AggregatorOptions;
import dev.muster.server.proxy.BackendException;
import dev.muster.server.proxy.PassedRequests;
import dev.muster.server.proxy.ProxyConcurrencyLimit;
import dev.muster.server.proxy.ProxyHeaders;
import dev.muster.server.proxy.ProxyTimeouts;
import dev.muster.server.proxy.RemoteUser;
import dev.muster.server.proxy.Upload;
import dev.muster.server.request.Request;
import dev.muster.types.SnapshotView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forwards requests to aggregated API servers, each on a virtual thread of its own. A server that
 * hangs delays only its own requests.
 */
public final class AggregationRoutes {
  private static final Logger LOG = LoggerFactory.getLogger(AggregationRoutes.class);
  private static final String UNAVAILABLE = "service unavailable\n";

  private final AggregatedApis apis;
  private final AggregatedBackends backends;
  private final Replica replica;
  private final Executor threads;
  private final PassedRequests passing;
  private final Predicate<String> namesUser;
  private final ProxyTimeouts timeouts = ProxyTimeouts.standard();

  /** The limit of each server. Those of removed servers are empty; the next cleanup drops them. */
  private final Map<AggregatedApi.ServiceReference, ProxyConcurrencyLimit> places =
      new ConcurrentHashMap<>();

  /**
   * @param namesUser whether a lower-case header name states the user
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
    this.passing = new PassedRequests(threads, timeouts, options.rejectsRedirects());
    this.namesUser = namesUser;
  }

  public AggregatedApis apis() {
    return apis;
  }

  /**
   * Forwards a whole request. The request's event loop calls it.
   *
   * @throws dev.muster.model.status.ApiException 429 when too many requests are running
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

  private ProxyConcurrencyLimit places(AggregatedApi api) {
    places.values().removeIf(unused -> places.size() > apis.all().size() && unused.taken() == 0);
    return places.computeIfAbsent(
        api.service(),
        service -> ProxyConcurrencyLimit.standard("the API server behind " + service));
  }

  private void connect(Request request, AggregatedApi api, Upload upload) {
    try {
      var path = ForwardedPath.of(request.info().path());
      var destination =
          backends.destination(
              api, new SnapshotView(replica.current()), path, request.query().encoded());
      try (var call = backends.call(api, destination, timeouts)) {
        request.exchange().onCancel(call::cancel);
        passing.answer(request, call, headers(request, destination.urlAuthority()), upload);
      }
    } catch (ServiceBackend.Missing e) {
      LOG.warn("nobody answers for {}: {}", api.name(), e.text());
      request.answerText(503, UNAVAILABLE);
    } catch (BackendException e) {
      unreached(request, e);
    }
  }

  private static void unreached(Request request, BackendException failure) {
    if (!PassedRequests.isLong(request) && request.deadline().isOver()) {
      request.fail(Deadline.exceeded());
    } else {
      request.answerText(503, "error trying to reach service: " + failure.text() + "\n");
    }
  }

  /** Drops all headers in which the client states a user. */
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
}
