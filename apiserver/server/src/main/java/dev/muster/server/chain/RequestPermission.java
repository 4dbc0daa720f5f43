package dev.muster.server.chain;

import dev.muster.authorization.Forbidden;
import dev.muster.authorization.WouldBlockException;
import dev.muster.authorization.impersonation.ImpersonationHeaders;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.registry.commit.AuditAnnotations.Layer;
import dev.muster.replica.snapshot.ReplicaException;
import dev.muster.server.request.Request;
import dev.muster.server.request.RequestAuthorization;
import dev.muster.server.request.SnapshotWaiter;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Applies impersonation and authorizes a request. Event loops use it, and it never blocks them. A
 * request that is forbidden by the state of the cluster is checked a second time in a fresh
 * snapshot.
 */
final class RequestPermission {
  /** Up to this number of impersonation headers, the event loop itself checks the permissions. */
  private static final int FEW_IMPERSONATED = 16;

  private final AccessControl access;
  private final FlowControl flow;
  private final SnapshotWaiter waits;

  /**
   * @param flow classifies a request as soon as its effective user is known
   */
  RequestPermission(AccessControl access, FlowControl flow, SnapshotWaiter waits) {
    this.access = access;
    this.flow = flow;
    this.waits = waits;
  }

  /** Runs {@code allowed} if the request is allowed, and fails the request otherwise. */
  void permit(Request request, Runnable allowed) {
    var sender = request.user();
    permit(
        request,
        false,
        allowed,
        first ->
            waits.whenFresh(
                request,
                () -> {
                  request.user(sender);
                  request.noSniff(false);
                  permit(request, true, allowed, last -> refuse(request, last));
                }));
  }

  /** If an authorizer fails, the server answers 500, not 403. */
  private static void refuse(Request request, RuntimeException refusal) {
    if (refusal instanceof UndecidedException undecided) {
      request.answerInternalError(undecided.why);
    } else {
      throw refusal;
    }
  }

  /**
   * @param last whether a refusal is final
   * @param refused receives a refusal that depends on the state of the cluster
   */
  private void permit(
      Request request, boolean last, Runnable allowed, Consumer<RuntimeException> refused) {
    Runnable named =
        () -> {
          flow.classify(request);
          decide(request, true, () -> authorize(request, last), refused, allowed);
        };
    if (request.exchange().hasHeaderPrefix(ImpersonationHeaders.PREFIX)) {
      decide(request, isFewImpersonated(request), () -> impersonate(request), refused, named);
    } else {
      named.run();
    }
  }

  /**
   * Decides on the event loop if that is fast, otherwise on the CPU pool. Continues on the event
   * loop.
   *
   * @param few whether there is little to decide, unless the user's roles are large
   */
  private void decide(
      Request request,
      boolean few,
      Runnable decision,
      Consumer<RuntimeException> refused,
      Runnable allowed) {
    Runnable elsewhere =
        () -> {
          var refusal = refusal(decision);
          request.onLoop(() -> goOn(refusal, refused, allowed));
        };
    if (!few || !isSoonDecided(request)) {
      request.runOnCpuPool(elsewhere);
      return;
    }
    RuntimeException refusal;
    try {
      refusal = refusal(decision);
    } catch (WouldBlockException e) {
      request.waiting(elsewhere);
      return;
    }
    goOn(refusal, refused, allowed);
  }

  private static void goOn(
      @Nullable RuntimeException refusal, Consumer<RuntimeException> refused, Runnable allowed) {
    if (refusal == null) {
      allowed.run();
    } else {
      refused.accept(refusal);
    }
  }

  /** The refusal that depends on the state of the cluster; null when the request is allowed. */
  private static @Nullable RuntimeException refusal(Runnable decision) {
    try {
      decision.run();
      return null;
    } catch (ReplicaException.NotLoaded | UndecidedException e) {
      return e;
    } catch (ApiException e) {
      if (e.reason() == Reason.FORBIDDEN || e.reason() == Reason.INTERNAL_ERROR) {
        return e;
      }
      throw e;
    }
  }

  private boolean isSoonDecided(Request request) {
    try {
      return access.authorizer().isSoonDecided(request.attributes());
    } catch (ReplicaException.NotLoaded e) {
      return true;
    }
  }

  private static boolean isFewImpersonated(Request request) {
    int count = 0;
    for (var header : request.exchange().headers()) {
      if (ImpersonationHeaders.isHeader(header.getKey().toString().toLowerCase(Locale.ROOT))
          && ++count > FEW_IMPERSONATED) {
        return false;
      }
    }
    return true;
  }

  /**
   * Replaces the user of the request by the impersonated user, if the sender has the permission.
   */
  private void impersonate(Request request) {
    try {
      var wanted = ImpersonationHeaders.of(request.exchange().headers());
      if (wanted != null) {
        var effective = access.impersonation().impersonate(wanted, request.attributes());
        request.user(effective.user());
        var audit = request.audit();
        if (audit != null) {
          audit.impersonated(effective.user(), effective.constraint());
        }
      }
    } catch (ApiException e) {
      request.noSniff(true);
      throw e;
    }
  }

  private void authorize(Request request, boolean last) {
    var attributes = request.attributes();
    long revision = waits.revision();
    long start = System.nanoTime();
    var decision = access.authorizer().authorize(attributes);
    long nanos = System.nanoTime() - start;
    if (decision.allowed() || last) {
      access.decisions().decided(decision, nanos);
    }
    var audit = request.audit();
    if (audit != null) {
      audit.annotations().took(Layer.AUTHORIZATION, nanos);
      if (decision.allowed() || decision.error().isEmpty()) {
        audit.authorized(decision.allowed(), decision.reason());
      } else {
        audit.undecided();
      }
    }
    if (!decision.allowed()) {
      if (!decision.error().isEmpty()) {
        throw new UndecidedException(decision.error());
      }
      request.noSniff(true);
      throw Forbidden.of(attributes, decision);
    }
    access.filters().authorized(nanos);
    request.authorization(new RequestAuthorization(access.authorizer(), attributes, revision));
  }

  /** No authorizer has allowed the request, and at least one authorizer failed. */
  private static final class UndecidedException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final String why;

    private UndecidedException(String why) {
      super(why, null, false, false);
      this.why = why;
    }
  }
}
