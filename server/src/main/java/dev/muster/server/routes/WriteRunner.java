package dev.muster.server.routes;

import dev.muster.model.status.ApiException;
import dev.muster.registry.Handlers;
import dev.muster.registry.commit.OutdatedTypeException;
import dev.muster.registry.request.Call;
import dev.muster.registry.scheduling.FairScheduler;
import dev.muster.registry.types.ServedType;
import dev.muster.registry.types.Types;
import dev.muster.registry.write.Outcome;
import dev.muster.replica.Replica;
import dev.muster.replica.snapshot.ReplicaException;
import dev.muster.server.answer.Representation;
import dev.muster.server.answer.Representations;
import dev.muster.server.answer.StatusBody;
import dev.muster.server.request.Request;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Runs what changes something, and answers with what came of it. A short request runs on a virtual
 * thread of its own, where it may wait for the store; one that may take long waits for its user's
 * turn.
 */
public final class WriteRunner {
  private static final int LARGE_BODY = 16 * 1024;
  private static final int LARGE_OBJECT = 64 * 1024;

  /** Rules are compared with rules, expressions are checked. */
  private static final Set<String> LONG_GROUPS =
      Set.of(
          "rbac.authorization.k8s.io",
          "authorization.k8s.io",
          "admissionregistration.k8s.io",
          "apiextensions.k8s.io",
          "resource.k8s.io");

  private final Representations representations;
  private final Executor threads;
  private final FairScheduler scheduler;
  private final Replica replica;
  private final Handlers handlers;
  private final FirstStatus firstStatus;

  public WriteRunner(
      Representations representations,
      Executor threads,
      FairScheduler scheduler,
      Replica replica,
      Handlers handlers) {
    this.representations = representations;
    this.threads = threads;
    this.scheduler = scheduler;
    this.replica = replica;
    this.handlers = handlers;
    this.firstStatus = new FirstStatus(replica);
  }

  void run(Request request, Call call, Supplier<Outcome> write) {
    boolean collection = call.name().isEmpty() && request.info().verb().equals("deletecollection");
    run(
        request,
        call,
        call.type(),
        collection ? Representations.Kind.LIST : Representations.Kind.OBJECT,
        write);
  }

  /**
   * Negotiates first, for an answer that cannot be given must not change anything.
   *
   * @param shown the type of what is answered
   */
  void run(
      Request request,
      Call call,
      ServedType shown,
      Representations.Kind kind,
      Supplier<Outcome> write) {
    var representation =
        representations.of(
            request.header("accept"),
            request.header("user-agent"),
            request.query(),
            shown,
            call.subresource(),
            kind);
    Runnable task = () -> attempt(request, call, representation, write);
    if (isLong(request, call.type())) {
      if (representation.sharesJson()) {
        request.elsewhere(task);
      } else {
        request.make(task);
      }
      return;
    }
    threads.execute(
        () -> scheduler.run(request.user().name(), () -> request.withSeat(task), request.seat()));
  }

  private void attempt(
      Request request, Call call, Representation representation, Supplier<Outcome> write) {
    try {
      var outcome = write.get();
      firstStatus.await(call.type(), outcome);
      answer(request, representation, outcome);
    } catch (OutdatedTypeException e) {
      request.reroute();
    } catch (ApiException e) {
      refuse(request, call, e);
    } catch (RuntimeException | Error e) {
      request.fail(e);
    }
  }

  /**
   * Whether the write may take long: what was sent or is changed is large, or the kind of object is
   * one whose rules, selectors or expressions can be worth any amount of work.
   */
  private boolean isLong(Request request, ServedType type) {
    var info = request.info();
    if (request.exchange().body().length > LARGE_BODY
        || LONG_GROUPS.contains(type.kind().group())
        || info.verb().equals("deletecollection")
        || info.subresource().equals("eviction")) {
      return true;
    }
    return type.isStored()
        && !info.name().isEmpty()
        && isLarge(type.storage(), type.namespaced() ? info.namespace() : "", info.name());
  }

  /** Whether this server knows such an object, and that it is large. */
  private boolean isLarge(String storage, String namespace, String name) {
    try {
      var object = replica.current().collection(storage).get(namespace, name);
      return object != null && object.json().length > LARGE_OBJECT;
    } catch (ReplicaException e) {
      return false;
    }
  }

  /** What a custom type refuses counts only while it is what it was when the request began. */
  private void refuse(Request request, Call call, ApiException why) {
    try {
      if (call.type().isCustom()
          && Types.in(handlers.latest(request.deadline())).now(call.type()) != call.type()) {
        request.reroute();
        return;
      }
    } catch (RuntimeException e) {
      request.fail(e);
      return;
    }
    request.fail(why);
  }

  private static void answer(Request request, Representation representation, Outcome outcome) {
    var type = representation.contentType();
    switch (outcome) {
      case Outcome.Stored stored when !representation.isAtHand(stored.object()) ->
          request.answer(stored.code(), type, representation.parts(stored.object()));
      case Outcome.Stored stored ->
          request.answer(stored.code(), type, representation.object(stored.object()));
      case Outcome.Shown shown ->
          request.answer(shown.code(), type, representation.object(shown.object()));
      case Outcome.Made made -> request.answer(made.code(), type, representation.made(made.body()));
      case Outcome.Done done ->
          request.answer(done.code(), StatusBody.success(done.code(), done.details()));
      case Outcome.Several several ->
          request.answer(several.code(), type, representation.list(several.removed()));
    }
  }
}
