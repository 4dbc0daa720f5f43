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
 * The way of every request, in order: who is it, may it at all, what is it about, is it all there,
 * may it now, and then the answer. The first three need the headers only. Runs on the event loop of
 * the request's connection and never blocks; whatever has to wait or takes long goes on elsewhere.
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
   * Who answers, by what a request is about.
   *
   * @param aggregation what other API servers answer for, whatever it is
   * @param peers what other servers of the fleet serve
   * @param paths everything that is no resource
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

  /** When the store's history was replaced, only questions about the server itself are answered. */
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
   * Who is it. Credentials that are refused for what the cluster looks like are looked at twice.
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

  /** A certificate that nobody has seen before is looked at elsewhere. */
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

  /** In whose name, and may it at all. */
  private void permit(Request request) {
    request.exchange().makeOn(limits.cpu().of(request.user().name()));
    authorization.permit(request, () -> whenKnown(request, () -> receive(request)));
  }

  /**
   * A type that nobody knows may have been defined a moment ago, on another server: the client
   * hears that there is none only when that is sure. Who may ask for it is sure then, too, before
   * anybody elsewhere is asked.
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

  /** The type was another one in the snapshot that the answer was to be made of. */
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
   * How it gets to another API server: one that answers for the whole group, or one of the fleet
   * that serves what this one does not. Null when it is answered here.
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

  /** A watch costs nothing here while somebody else answers it. */
  private static Runnable passing(Request request, Runnable pass) {
    return () -> {
      request.seat().watchInitialised();
      pass.run();
    };
  }

  /** What is it about. Refuses what leads nowhere, and says who answers the rest. */
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
   * Is it all there. Nobody sends a body who is refused, and nobody's body is kept for nothing. The
   * body of what another API server answers for goes on as it arrives.
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

  /** May it now. */
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
   * The client may want its answer sooner than the server would give up, whatever it asks for. What
   * takes as long as it likes is not concerned: there the parameter may be meant for somebody else.
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
