package dev.muster.server.peers;

import dev.muster.http.Header;
import dev.muster.model.GroupVersionResource;
import dev.muster.model.User;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.model.status.StatusDetails;
import dev.muster.registry.commit.Deadline;
import dev.muster.registry.connect.Destination;
import dev.muster.server.proxy.ApiServerClient;
import dev.muster.server.proxy.ApiServerClient.Answer;
import dev.muster.server.proxy.ApiServerClient.Remote;
import dev.muster.server.proxy.BackendException;
import dev.muster.server.proxy.PassedRequests;
import dev.muster.server.proxy.ProxyConcurrencyLimit;
import dev.muster.server.proxy.ProxyHeaders;
import dev.muster.server.proxy.ProxyTimeouts;
import dev.muster.server.proxy.RemoteUser;
import dev.muster.server.proxy.Upload;
import dev.muster.server.request.Request;
import dev.muster.server.request.RequestInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * Forwards requests for resources that this server does not serve to a peer that does, each on a
 * virtual thread of its own. Thread-safe. It states the user like a front proxy. A forwarded
 * request is never forwarded again.
 */
public final class PeerRoutes {
  /** Marks a request that a peer has forwarded. */
  public static final String PASSED_ON = "x-kubernetes-peer-proxied";

  /** A name in every certificate of the fleet. */
  private static final String SERVER_NAME = "kubernetes.default.svc";

  private static final User APISERVER =
      new User("system:apiserver", "system:apiserver", List.of(User.ALL_AUTHENTICATED), Map.of());
  private static final int LARGEST_DOCUMENT = 64 << 20;

  private final ApiServerClient client;
  private final Executor threads;
  private final RandomGenerator random;
  private final Predicate<String> namesUser;
  private final ProxyTimeouts timeouts = ProxyTimeouts.standard();
  private final PassedRequests passing;
  private final PeerMetrics metrics;
  private final ProxyConcurrencyLimit places =
      ProxyConcurrencyLimit.standard("other servers of the fleet");
  private volatile PeerDirectory directory = PeerDirectory.NONE;

  /**
   * @param namesUser whether a lower-case header name states the user
   */
  public PeerRoutes(
      ApiServerClient client,
      Executor threads,
      RandomGenerator random,
      Predicate<String> namesUser,
      PeerMetrics metrics) {
    this.client = client;
    this.threads = threads;
    this.random = random;
    this.namesUser = namesUser;
    this.metrics = metrics;
    this.passing = new PassedRequests(threads, timeouts, true);
  }

  /** Sets the directory of peers. */
  public void use(PeerDirectory found) {
    directory = found;
  }

  /** The peers that may answer a request that this server cannot; empty when there is none. */
  public List<FleetPeer> serving(Request request) {
    var known = directory;
    if (known == PeerDirectory.NONE
        || !request.info().resourceRequest()
        || "true".equals(request.exchange().header(PASSED_ON))) {
      return List.of();
    }
    return known.serving(resource(request.info()));
  }

  private static GroupVersionResource resource(RequestInfo info) {
    return new GroupVersionResource(info.group(), info.version(), info.resource());
  }

  /**
   * Forwards a request to one of the peers. The request's event loop calls it.
   *
   * @throws ApiException 503 when none can be reached, 429 when too many requests are running
   */
  public void pass(Request request, List<FleetPeer> peers) {
    var resource = resource(request.info());
    var reachable = peers.stream().filter(FleetPeer::isReachable).toList();
    if (reachable.isEmpty()) {
      metrics.unresolved(resource);
      throw unavailable("Error getting ip and port info of the remote server while proxying");
    }
    var peer = reachable.get(random.nextInt(reachable.size()));
    var place = places.take(request.user());
    var upload = new Upload();
    if (request.exchange().hasBody()) {
      request.exchange().receive(upload);
    }
    threads.execute(
        () -> {
          try (place) {
            connect(request, peer, upload);
          } catch (BackendException e) {
            metrics.unreached(resource);
            request.fail(unreached(request, peer, e));
          } catch (RuntimeException | Error e) {
            request.fail(e);
          } finally {
            upload.stop();
          }
        });
  }

  private void connect(Request request, FleetPeer peer, Upload upload) throws BackendException {
    var remote = remote(peer, request.info().path(), request.query().encoded());
    try (var call = client.call(remote, timeouts)) {
      request.exchange().onCancel(call::cancel);
      var headers = headers(request, remote.destination().urlAuthority());
      int status = passing.answer(request, call, headers, upload);
      metrics.passed(resource(request.info()), status);
    }
  }

  private Remote remote(FleetPeer peer, String path, String query) {
    var destination =
        new Destination(Destination.Backend.WORKLOAD, true, peer.host(), peer.port(), path, query);
    return new Remote(destination, SERVER_NAME, directory.authorities(), false);
  }

  /** Drops all headers in which the client states a user. */
  private List<Header> headers(Request request, String host) throws BackendException {
    var headers = new ArrayList<Header>();
    for (var header : ProxyHeaders.forwarded(request.exchange(), host, request.info().path())) {
      if (!namesUser.test(header.name()) && !header.name().equals(PASSED_ON)) {
        headers.add(header);
      }
    }
    headers.add(new Header(PASSED_ON, "true"));
    headers.addAll(RemoteUser.headers(request.user()));
    return headers;
  }

  private static RuntimeException unreached(
      Request request, FleetPeer peer, BackendException failure) {
    return !PassedRequests.isLong(request) && request.deadline().isOver()
        ? Deadline.exceeded()
        : unavailable(
            "the server " + peer.id() + ", which serves this, is not reached: " + failure.text());
  }

  private static ApiException unavailable(String message) {
    return new ApiException(
        Reason.SERVICE_UNAVAILABLE, message, StatusDetails.NONE.withRetryAfter(1));
  }

  /**
   * Gets a document from a peer as the server's own user. Blocks.
   *
   * @throws BackendException when it does not arrive in time
   */
  public Answer document(FleetPeer peer, String path, String accept, Duration patience)
      throws BackendException {
    var headers = List.of(new Header("accept", accept), new Header(PASSED_ON, "true"));
    return client.get(remote(peer, path, ""), APISERVER, headers, LARGEST_DOCUMENT, patience);
  }
}
