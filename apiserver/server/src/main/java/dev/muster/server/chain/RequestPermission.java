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
 * Finds out in whose name a request is made and whether it may be; used on event loops, and never
 * blocks them. What is forbidden for what the cluster looks like is looked at twice.
 */
final class RequestPermission {
  /** So many rights to act as somebody else are checked in no time. */
  private static final int FEW_IMPERSONATED = 16;

  private final AccessControl access;
  private final FlowControl flow;
  private final SnapshotWaiter waits;

  /**
   * @param flow is told of a request as soon as it is known in whose name it is made
   */
  RequestPermission(AccessControl access, FlowControl flow, SnapshotWaiter waits) {
    this.access = access;
    this.flow = flow;
    this.waits = waits;
  }

  /** Goes on if the request is allowed, and fails it otherwise. */
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

  /** Nobody may say no in place of one who could not be asked. */
  private static void refuse(Request request, RuntimeException refusal) {
    if (refusal instanceof UndecidedException undecided) {
      request.answerInternalError(undecided.why);
    } else {
      throw refusal;
    }
  }

  /**
   * @param last whether what is refused now stays so
   * @param refused takes a refusal for what the cluster looks like
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
   * Decides here when that takes no time, else elsewhere, and goes on here.
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

  /** What speaks against it in the cluster; null when it is allowed. */
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

  /** A request may be made in another's name, by those who may. */
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

  /** Nobody has allowed it, and somebody who could have was not able to say. */
  private static final class UndecidedException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final String why;

    private UndecidedException(String why) {
      super(why, null, false, false);
      this.why = why;
    }
  }
}
