package dev.muster.server.chain;

import dev.muster.authentication.Credentials;
import dev.muster.authentication.RequestAuthenticator.Known;
import dev.muster.authentication.RequestAuthenticator.Refused;
import dev.muster.authentication.RequestAuthenticator.Verdict;
import dev.muster.http.BodyReceiver;
import dev.muster.http.BodyShare;
import dev.muster.http.HttpExchange;
import dev.muster.http.HttpHandler;
import dev.muster.model.MalformedValueException;
import dev.muster.model.User;
import dev.muster.model.gocompat.GoDuration;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.model.status.StatusDetails;
import dev.muster.registry.commit.Deadline;
import dev.muster.registry.commit.StoreGateway;
import dev.muster.replica.snapshot.ReplicaException;
import dev.muster.server.aggregation.AggregationRoutes;
import dev.muster.server.audit.AuditLog;
import dev.muster.server.metrics.RequestMetrics;
import dev.muster.server.peers.PeerRoutes;
import dev.muster.server.request.AuditIds;
import dev.muster.server.request.Request;
import dev.muster.server.request.RequestInfo;
import dev.muster.server.request.SnapshotWaiter;
import dev.muster.server.routes.NoRoute;
import dev.muster.server.routes.PathRoutes;
import dev.muster.server.routes.ReadRoutes;
import dev.muster.server.routes.ResourceRoutes;
import dev.muster.server.routes.SubresourceRoutes;
import dev.muster.server.routes.WatchRoutes;
import dev.muster.server.routes.WriteRoutes;
import dev.muster.types.options.Query;
import dev.muster.wire.SupportedMediaTypes;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes every request through its steps: authentication, impersonation and authorization, routing,
 * reading the body, flow control, and the handler that answers. The steps before the body need only
 * the headers. Each request runs on the event loop of its connection and never blocks it: work that
 * waits or takes long runs on the CPU pool or on a thread of its own.
 */
public final class RequestChain implements HttpHandler, Request.Owner {
  private final AccessControl access;
  private final RequestPermission authorization;
  private final AuditedRequests audited;
  private final RequestLimits limits;
  private final Routes routes;
  private final SnapshotWaiter waits;
  private final SupportedMediaTypes supportedMediaTypes;
  private final RequestMetrics metrics;
  private final AuditIds auditIds = new AuditIds();

  public RequestChain(
      AccessControl access,
      RequestLimits limits,
      Routes routes,
      SnapshotWaiter waits,
      SupportedMediaTypes supportedMediaTypes,
      RequestMetrics metrics,
      AuditLog audit) {
    this.access = access;
    this.authorization = new RequestPermission(access, limits.flow(), waits);
    this.audited = new AuditedRequests(audit);
    this.limits = limits;
    this.routes = routes;
    this.waits = waits;
    this.supportedMediaTypes = supportedMediaTypes;
    this.metrics = metrics;
  }

  /**
   * The handlers that answer requests, by what a request is about.
   *
   * @param aggregation all requests for groups of aggregated API servers
   * @param peers resources that only other API servers of the fleet serve
   * @param paths all paths that name no resource
   */
  public record Routes(
      AggregationRoutes aggregation,
      PeerRoutes peers,
      ResourceRoutes resources,
      ReadRoutes reads,
      WatchRoutes watches,
      WriteRoutes writes,
      SubresourceRoutes subresources,
      PathRoutes paths) {}

  @Override
  public void handle(HttpExchange exchange) {
    var query = Query.parse(exchange.query());
    var info = RequestInfo.of(exchange.method(), exchange.path(), query.isTrue("watch"));
    var auditId = exchange.header("audit-id");
    var request =
        new Request(
            exchange,
            info,
            query,
            auditId == null ? auditIds.next() : AuditIds.cut(auditId),
            Deadline.after(limits.timeout()),
            this);
    metrics.began(request);
    request.step(
        () -> {
          checkHistory(request);
          applyTimeoutParameter(request);
          warnOfIgnoredToken(request);
          identify(request);
        });
  }

  /** After the store's history was replaced, only requests about the server itself are answered. */
  private void checkHistory(Request request) {
    if (waits.isReplaced() && !request.info().isAboutServer()) {
      throw StoreGateway.translate(new ReplicaException.Replaced());
    }
  }

  private static void warnOfIgnoredToken(Request request) {
    var authorization = request.exchange().header("authorization");
    if (authorization != null
        && authorization.contains("  ")
        && Credentials.isSpaced(authorization)) {
      request.warn(
          "the provided Authorization header contains extra space before the bearer token,"
              + " and is ignored");
    }
  }

  /**
   * Authenticates the request. Credentials that are refused because of the state of the cluster are
   * checked a second time, in a fresh snapshot.
   */
  private void identify(Request request) {
    evaluate(
        request,
        verdict -> {
          if (verdict instanceof Refused refused && refused.restsOnCluster()) {
            waits.whenFresh(request, () -> evaluate(request, again -> identified(request, again)));
          } else {
            identified(request, verdict);
          }
        });
  }

  /** A certificate that is new to the server is verified on another thread. */
  private void evaluate(Request request, Consumer<Verdict> next) {
    var verdict = access.authentication().evaluate(request.exchange());
    if (verdict.isDone()) {
      next.accept(verdict.join());
    } else {
      verdict.whenCompleteAsync(
          (found, failure) -> request.step(() -> next.accept(verdict.join())),
          request.exchange().eventLoop());
    }
  }

  private void identified(Request request, Verdict verdict) {
    long nanos = System.nanoTime() - request.started();
    access.authentication().judged(request.exchange(), verdict, nanos);
    access.filters().authenticated(nanos);
    request.exchange().identified(verdict instanceof Known known && !isUnknown(known.user()));
    switch (verdict) {
      case Known known -> request.user(known.user());
      case Refused refused -> {
        audited.refused(request, refused.annotations());
        throw refused.answer();
      }
    }
    var annotations =
        verdict instanceof Known known ? known.annotations() : Map.<String, String>of();
    if (limits.refusing().getAsBoolean() && !InFlightLimits.isExempt(request)) {
      throw new ApiException(
          Reason.TOO_MANY_REQUESTS,
          "The apiserver is shutting down, please try again later.",
          StatusDetails.NONE.withRetryAfter(5));
    }
    audited.received(
        request,
        annotations,
        () -> {
          WebSocketOrigin.check(request.exchange());
          permit(request);
        });
  }

  private static boolean isUnknown(User user) {
    return user.isAnonymous() || user.in(User.ALL_UNAUTHENTICATED);
  }

  /** Applies impersonation and authorizes the request. */
  private void permit(Request request) {
    request.exchange().makeOn(limits.cpu().of(request.user().name()));
    authorization.permit(request, () -> whenKnown(request, () -> receive(request)));
  }

  /**
   * Another API server may have defined an unknown type a moment ago. The client gets 404 only
   * after a fresh snapshot confirms that the type does not exist. That snapshot also confirms the
   * authorization, before the request goes to another server.
   */
  private void whenKnown(Request request, Runnable next) {
    if (routes.resources().mayBeDefined(request.info())) {
      waits.whenAllowed(request, next);
    } else {
      next.run();
    }
  }

  @Override
  public SupportedMediaTypes offer() {
    return supportedMediaTypes;
  }

  /** The type has changed in the snapshot from which the request was to be answered. */
  @Override
  public void reroute(Request request) {
    request.onLoop(
        () -> {
          if (request.deadline().isOver()) {
            throw Deadline.exceeded();
          }
          whenKnown(
              request,
              () -> {
                var elsewhere = runOnCpuPool(request);
                (elsewhere == null ? route(request) : elsewhere).run();
              });
        });
  }

  /**
   * Forwards the request to the API server that is responsible for it: an aggregated API server, or
   * a peer that serves a resource that this server does not. Null when this server answers.
   */
  private @Nullable Runnable runOnCpuPool(Request request) {
    var backend = routes.aggregation().apis().find(request.info());
    if (backend != null) {
      return passing(request, () -> routes.aggregation().pass(request, backend));
    }
    var peers = routes.peers().serving(request);
    return peers.isEmpty() || routes.resources().isServed(request.info())
        ? null
        : passing(request, () -> routes.peers().pass(request, peers));
  }

  /** The seat of a forwarded watch is released at once: the other server does the work. */
  private static Runnable passing(Request request, Runnable pass) {
    return () -> {
      request.seat().watchInitialised();
      pass.run();
    };
  }

  /** Chooses the handler of the request, and refuses paths that lead to none. */
  private Runnable route(Request request) {
    if (!request.info().resourceRequest()) {
      return () -> routes.paths().answer(request);
    }
    var call = routes.resources().route(request);
    if (call == null) {
      return routes.resources().isDefinable(request.info().group())
          ? () -> routes.paths().notFound(request)
          : () -> routes.paths().unknownVersion(request);
    }
    if (request.exchange().method().equals("HEAD") && !call.subresource().equals("proxy")) {
      throw NoRoute.methodNotAllowed();
    }
    if (!call.subresource().isEmpty()) {
      return () -> routes.subresources().answer(request, call);
    }
    return switch (request.info().verb()) {
      case "get" -> () -> routes.reads().get(request, call);
      case "list" -> () -> routes.reads().list(request, call);
      case "watch" -> () -> routes.watches().watch(request, call);
      case "create" -> () -> routes.writes().create(request, call);
      case "update" -> () -> routes.writes().update(request, call);
      case "patch" -> () -> routes.writes().patch(request, call);
      case "delete" -> () -> routes.writes().delete(request, call);
      case "deletecollection" -> () -> routes.writes().deleteCollection(request, call);
      default -> throw new ApiException(Reason.METHOD_NOT_ALLOWED, "method not allowed");
    };
  }

  /**
   * Reads the body after authorization, so that a client that is refused sends no body and no
   * memory is used for it. The body of a forwarded request is streamed to the other API server.
   */
  private void receive(Request request) {
    var elsewhere = runOnCpuPool(request);
    if (elsewhere != null) {
      admit(request, elsewhere);
      return;
    }
    var answer = route(request);
    if (!request.info().isWrite() && !request.info().isConnection()) {
      admit(request, answer);
      return;
    }
    takeBody(request, () -> admit(request, answer));
  }

  /** Waits for flow control. */
  private void admit(Request request, Runnable answer) {
    limits.flow().admit(request, answer);
  }

  private void takeBody(Request request, Runnable next) {
    var share = new BodyShare(request.user().name(), request.user().in(User.MASTERS));
    request
        .exchange()
        .receive(
            share,
            new BodyReceiver() {
              @Override
              public void whole() {
                metrics.received(request);
                request.step(next);
              }

              @Override
              public void refused(int status, String message) {
                request.fail(ProtocolErrors.of(status, message));
              }
            });
  }

  @Override
  public void answered(Request request, int status, long length) {
    request.seat().answered(status);
    metrics.answered(request, status, length);
  }

  /**
   * Applies the {@code timeout} parameter of the query, which can only shorten the deadline.
   * Watches and proxied connections have no deadline; there the parameter may be meant for the
   * backend.
   */
  private void applyTimeoutParameter(Request request) {
    var timeout = request.query().first("timeout");
    if (timeout.isEmpty() || request.info().isLong()) {
      return;
    }
    try {
      var wanted = GoDuration.parse(timeout);
      if (wanted.isPositive() && wanted.compareTo(limits.timeout()) < 0) {
        request.deadline(new Deadline(request.started() + wanted.toNanos()));
      }
    } catch (MalformedValueException e) {
      audited.refused(request, Map.of());
      throw ApiException.badRequest("invalid timeout specified in the request URL - " + e.text());
    }
  }
}
