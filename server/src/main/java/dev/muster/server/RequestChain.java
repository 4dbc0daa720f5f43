package dev.muster.server;

import dev.muster.access.Attributes;
import dev.muster.access.Forbidden;
import dev.muster.access.RequestAuthenticator.Known;
import dev.muster.access.RequestAuthenticator.Refused;
import dev.muster.access.RequestAuthenticator.Verdict;
import dev.muster.access.impersonation.Wanted;
import dev.muster.model.ApiException;
import dev.muster.model.GoDuration;
import dev.muster.model.MalformedValueException;
import dev.muster.model.Reason;
import dev.muster.model.StatusDetails;
import dev.muster.registry.Query;
import dev.muster.registry.admission.User;
import dev.muster.registry.commit.Deadline;
import dev.muster.replica.ReplicaException;
import dev.muster.server.http.HttpExchange;
import dev.muster.server.http.HttpHandler;
import dev.muster.wire.Offer;
import java.util.Set;

/**
 * The way of every request, in order: who is it, may it now, may it at all, what is it about, and
 * then the answer. Runs on the event loop of the request's connection and never blocks; whatever
 * has to wait goes on elsewhere.
 */
final class RequestChain implements HttpHandler {
  private static final Set<String> HEALTH = Set.of("/healthz", "/livez", "/readyz");

  private final AccessControl access;
  private final RequestLimits limits;
  private final Routes routes;
  private final SnapshotWaits waits;
  private final Offer offer;
  private final RequestMetrics metrics;
  private final AuditIds auditIds = new AuditIds();

  RequestChain(
      AccessControl access,
      RequestLimits limits,
      Routes routes,
      SnapshotWaits waits,
      Offer offer,
      RequestMetrics metrics) {
    this.access = access;
    this.limits = limits;
    this.routes = routes;
    this.waits = waits;
    this.offer = offer;
    this.metrics = metrics;
  }

  /**
   * Who answers, by what a request is about.
   *
   * @param paths everything that is no resource
   */
  record Routes(
      ResourceRoutes resources,
      ReadRoutes reads,
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
            System.nanoTime(),
            Deadline.after(limits.timeout()),
            offer,
            this::answered);
    metrics.began(request);
    try {
      authenticate(request);
    } catch (RuntimeException | Error e) {
      request.fail(e);
    }
  }

  /** Credentials that are refused for what the cluster looks like are looked at twice. */
  private void authenticate(Request request) {
    Verdict verdict;
    try {
      verdict = access.authentication().judge(request.exchange());
    } catch (ReplicaException.NotLoaded e) {
      verdict = new Refused(true);
    }
    switch (verdict) {
      case Known known -> enter(request, known.user());
      case Refused refused when refused.restsOnCluster() ->
          waits.whenFresh(
              request,
              () -> {
                switch (access.authentication().judge(request.exchange())) {
                  case Known known -> enter(request, known.user());
                  case Refused again -> throw again.answer();
                }
              });
      case Refused refused -> throw refused.answer();
    }
  }

  private void enter(Request request, User sender) {
    request.user(sender);
    if (isExempt(request)) {
      goOn(request);
      return;
    }
    if (limits.refusing().getAsBoolean()) {
      throw new ApiException(
          Reason.TOO_MANY_REQUESTS,
          "The apiserver is shutting down, please try again later.",
          StatusDetails.NONE.withRetryAfter(5));
    }
    limits
        .places(request.info())
        .enter(
            request.exchange().eventLoop(),
            () -> {
              request.counted();
              goOn(request);
            });
  }

  /** What is forbidden for what the cluster looks like is looked at twice. */
  private void goOn(Request request) {
    var sender = request.user();
    try {
      if (isPermitted(request)) {
        route(request);
        return;
      }
      waits.whenFresh(
          request,
          () -> {
            request.user(sender);
            request.unsniffed(false);
            permit(request);
            route(request);
          });
    } catch (RuntimeException | Error e) {
      request.fail(e);
    }
  }

  private boolean isPermitted(Request request) {
    try {
      permit(request);
      return true;
    } catch (ReplicaException.NotLoaded e) {
      return false;
    } catch (ApiException e) {
      if (e.reason() == Reason.FORBIDDEN) {
        return false;
      }
      throw e;
    }
  }

  private void permit(Request request) {
    impersonate(request);
    authorize(request);
  }

  private void answered(Request request, int status, long length) {
    if (request.isCounted()) {
      limits.places(request.info()).leave();
    }
    metrics.answered(request, status, length);
  }

  /**
   * Watches and connections to elsewhere take no place, and neither do those who must get through
   * when nobody else does.
   */
  private static boolean isExempt(Request request) {
    return request.info().isLong()
        || request.user().in("system:masters")
        || HEALTH.contains(request.info().path());
  }

  /** A request may be made in another's name, by those who may. */
  private void impersonate(Request request) {
    if (request.exchange().header("impersonate-user") == null
        && request.exchange().header("impersonate-group") == null
        && request.exchange().header("impersonate-uid") == null) {
      return;
    }
    try {
      var wanted = Wanted.of(request.exchange().headers());
      if (wanted != null) {
        request.user(access.impersonation().impersonate(wanted, attributes(request)).user());
      }
    } catch (ApiException e) {
      request.unsniffed(true);
      throw e;
    }
  }

  private void authorize(Request request) {
    var attributes = attributes(request);
    var decision = access.authorizer().authorize(attributes);
    if (!decision.allowed()) {
      request.unsniffed(true);
      throw Forbidden.of(attributes, decision);
    }
  }

  private static Attributes attributes(Request request) {
    var info = request.info();
    return info.resourceRequest()
        ? Attributes.resource(
            request.user(),
            info.verb(),
            info.group(),
            info.version(),
            info.resource(),
            info.subresource(),
            info.namespace(),
            info.name())
        : Attributes.path(request.user(), info.verb(), info.path());
  }

  /** The client may want its answer sooner than the server would give up. */
  private void shorten(Request request, String timeout) {
    if (timeout.isEmpty()) {
      return;
    }
    try {
      var wanted = GoDuration.parse(timeout);
      if (wanted.isPositive() && wanted.compareTo(limits.timeout()) < 0) {
        request.deadline(new Deadline(request.started() + wanted.toNanos()));
      }
    } catch (MalformedValueException e) {
      throw ApiException.badRequest("invalid timeout specified in the request URL - " + e.text());
    }
  }

  private void route(Request request) {
    if (!request.info().resourceRequest()) {
      routes.paths().answer(request);
      return;
    }
    if (request.exchange().method().equals("HEAD")
        && !request.info().subresource().equals("proxy")) {
      throw Route.methodNotAllowed();
    }
    shorten(request, request.query().first("timeout"));
    var call = routes.resources().route(request);
    if (call == null) {
      routes.paths().unknownVersion(request);
      return;
    }
    if (!call.subresource().isEmpty()) {
      routes.subresources().answer(request, call);
      return;
    }
    switch (request.info().verb()) {
      case "get" -> routes.reads().get(request, call);
      case "list" -> routes.reads().list(request, call);
      case "watch" -> routes.reads().watch(request, call);
      case "create" -> routes.writes().create(request, call);
      case "update" -> routes.writes().update(request, call);
      case "patch" -> routes.writes().patch(request, call);
      case "delete" -> routes.writes().delete(request, call);
      case "deletecollection" -> routes.writes().deleteCollection(request, call);
      default -> throw new ApiException(Reason.METHOD_NOT_ALLOWED, "method not allowed");
    }
  }
}
