package dev.muster.server;

import dev.muster.access.Attributes;
import dev.muster.access.Authorizer;
import dev.muster.access.Forbidden;
import dev.muster.access.impersonation.Impersonation;
import dev.muster.access.impersonation.Wanted;
import dev.muster.model.ApiException;
import dev.muster.model.GoDuration;
import dev.muster.model.MalformedValueException;
import dev.muster.model.Reason;
import dev.muster.model.StatusDetails;
import dev.muster.registry.Query;
import dev.muster.registry.scheduling.FairScheduler;
import dev.muster.server.http.HttpExchange;
import dev.muster.server.http.HttpHandler;
import dev.muster.wire.Offer;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * The way of every request, in order: who is it, may it now, may it at all, what is it about, and
 * then the answer. Runs on the event loop of the request's connection and never blocks; whatever
 * has to wait, or takes long, goes on elsewhere.
 */
final class RequestChain implements HttpHandler {
  /** In the name of how many groups a request may be made without taking time. */
  private static final int FEW_GROUPS = 16;

  private static final Set<String> HEALTH = Set.of("/healthz", "/livez", "/readyz");

  private final Authentication authentication;
  private final InFlight reading;
  private final InFlight writing;
  private final Impersonation impersonation;
  private final Authorizer authorizer;
  private final ResourceRoutes resources;
  private final ReadRoutes reads;
  private final WriteRoutes writes;
  private final SubresourceRoutes subresources;
  private final PathRoutes paths;
  private final Offer offer;
  private final RequestMetrics metrics;
  private final FairScheduler scheduler;
  private final BooleanSupplier refusing;
  private final AuditIds auditIds = new AuditIds();

  RequestChain(
      Authentication authentication,
      InFlight reading,
      InFlight writing,
      Impersonation impersonation,
      Authorizer authorizer,
      ResourceRoutes resources,
      ReadRoutes reads,
      WriteRoutes writes,
      SubresourceRoutes subresources,
      PathRoutes paths,
      Offer offer,
      RequestMetrics metrics,
      FairScheduler scheduler,
      BooleanSupplier refusing) {
    this.authentication = authentication;
    this.reading = reading;
    this.writing = writing;
    this.impersonation = impersonation;
    this.authorizer = authorizer;
    this.resources = resources;
    this.reads = reads;
    this.writes = writes;
    this.subresources = subresources;
    this.paths = paths;
    this.offer = offer;
    this.metrics = metrics;
    this.scheduler = scheduler;
    this.refusing = refusing;
  }

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
            offer,
            this::answered);
    metrics.began(request);
    try {
      request.user(authentication.user(exchange));
      if (isExempt(request)) {
        goOn(request);
      } else if (refusing.getAsBoolean()) {
        throw new ApiException(
            Reason.TOO_MANY_REQUESTS,
            "The apiserver is shutting down, please try again later.",
            StatusDetails.NONE.withRetryAfter(5));
      } else {
        places(request.info())
            .enter(
                exchange.eventLoop(),
                () -> {
                  request.counted();
                  goOn(request);
                });
      }
    } catch (RuntimeException e) {
      request.fail(e);
    }
  }

  private void goOn(Request request) {
    try {
      request.exchange().makeOn(scheduler.of(request.user().name()));
      if (isSoonAdmitted(request)) {
        admit(request);
        route(request);
      } else {
        request.elsewhere(
            () -> {
              admit(request);
              request.onLoop(() -> route(request));
            });
      }
    } catch (RuntimeException | Error e) {
      request.fail(e);
    }
  }

  private boolean isSoonAdmitted(Request request) {
    return request.exchange().headers("impersonate-group").size() <= FEW_GROUPS
        && authorizer.isSoonDecided(attributes(request));
  }

  private void admit(Request request) {
    impersonate(request);
    authorize(request);
  }

  private void answered(Request request, int status, long length) {
    if (request.isCounted()) {
      places(request.info()).leave();
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

  private InFlight places(RequestInfo info) {
    return info.isWrite() ? writing : reading;
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
        request.user(impersonation.impersonate(wanted, attributes(request)).user());
      }
    } catch (ApiException e) {
      request.unsniffed();
      throw e;
    }
  }

  private void authorize(Request request) {
    var attributes = attributes(request);
    var decision = authorizer.authorize(attributes);
    if (!decision.allowed()) {
      request.unsniffed();
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

  /** The parameter is checked though the server keeps to its own, which is never longer. */
  private static void checkTimeout(String timeout) {
    if (!timeout.isEmpty()) {
      try {
        GoDuration.parse(timeout);
      } catch (MalformedValueException e) {
        throw ApiException.badRequest("invalid timeout specified in the request URL - " + e.text());
      }
    }
  }

  private void route(Request request) {
    if (!request.info().resourceRequest()) {
      paths.answer(request);
      return;
    }
    if (request.exchange().method().equals("HEAD")) {
      throw Route.methodNotAllowed();
    }
    checkTimeout(request.query().first("timeout"));
    var call = resources.route(request);
    if (call == null) {
      paths.unknownVersion(request);
      return;
    }
    if (!call.subresource().isEmpty()) {
      subresources.answer(request, call);
      return;
    }
    switch (request.info().verb()) {
      case "get" -> reads.get(request, call);
      case "list" -> reads.list(request, call);
      case "watch" -> reads.watch(request, call);
      case "create" -> writes.create(request, call);
      case "update" -> writes.update(request, call);
      case "patch" -> writes.patch(request, call);
      case "delete" -> writes.delete(request, call);
      case "deletecollection" -> writes.deleteCollection(request, call);
      default -> throw new ApiException(Reason.METHOD_NOT_ALLOWED, "method not allowed");
    }
  }
}
