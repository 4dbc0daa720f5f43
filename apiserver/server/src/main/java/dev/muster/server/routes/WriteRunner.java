package dev.muster.server.routes;

import dev.muster.model.status.ApiException;
import dev.muster.registry.Handlers;
import dev.muster.registry.commit.OutdatedTypeException;
import dev.muster.registry.request.ResourceRequest;
import dev.muster.registry.write.WriteResult;
import dev.muster.replica.Replica;
import dev.muster.replica.snapshot.ReplicaException;
import dev.muster.server.answer.ResponseEncoder;
import dev.muster.server.answer.ResponseEncoders;
import dev.muster.server.answer.StatusBody;
import dev.muster.server.request.Request;
import dev.muster.types.ServedType;
import dev.muster.types.Types;
import dev.muster.types.scheduling.FairScheduler;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Runs writes and answers with their results. A short write runs on a virtual thread of its own,
 * where it may wait for the store. A write that may take long waits for its user's share of the CPU
 * pool.
 */
public final class WriteRunner {
  private static final int LARGE_BODY = 16 * 1024;
  private static final int LARGE_OBJECT = 64 * 1024;

  /** Groups whose writes may take long: the server compares RBAC rules and checks expressions. */
  private static final Set<String> LONG_GROUPS =
      Set.of(
          "rbac.authorization.k8s.io",
          "authorization.k8s.io",
          "admissionregistration.k8s.io",
          "apiextensions.k8s.io",
          "resource.k8s.io");

  private final ResponseEncoders responseEncoders;
  private final Executor threads;
  private final FairScheduler scheduler;
  private final Replica replica;
  private final Handlers handlers;
  private final CrdStatusAwaiter crdStatusAwaiter;

  public WriteRunner(
      ResponseEncoders responseEncoders,
      Executor threads,
      FairScheduler scheduler,
      Replica replica,
      Handlers handlers) {
    this.responseEncoders = responseEncoders;
    this.threads = threads;
    this.scheduler = scheduler;
    this.replica = replica;
    this.handlers = handlers;
    this.crdStatusAwaiter = new CrdStatusAwaiter(replica);
  }

  void run(Request request, ResourceRequest resourceRequest, Supplier<WriteResult> write) {
    boolean collection =
        resourceRequest.name().isEmpty() && request.info().verb().equals("deletecollection");
    run(
        request,
        resourceRequest,
        resourceRequest.type(),
        collection ? ResponseEncoders.Kind.LIST : ResponseEncoders.Kind.OBJECT,
        write);
  }

  /**
   * Negotiates the media type before the write: a request whose response cannot be encoded must not
   * change anything.
   *
   * @param shown the type of the object in the response
   */
  void run(
      Request request,
      ResourceRequest resourceRequest,
      ServedType shown,
      ResponseEncoders.Kind kind,
      Supplier<WriteResult> write) {
    var responseEncoder =
        responseEncoders.of(
            request.header("accept"),
            request.header("user-agent"),
            request.query(),
            shown,
            resourceRequest.subresource(),
            kind);
    Runnable task = () -> attempt(request, resourceRequest, responseEncoder, write);
    if (isLong(request, resourceRequest.type())) {
      if (responseEncoder.sharesJson()) {
        request.runOnCpuPool(task);
      } else {
        request.make(task);
      }
      return;
    }
    threads.execute(
        () -> scheduler.run(request.user().name(), () -> request.withSeat(task), request.seat()));
  }

  private void attempt(
      Request request,
      ResourceRequest resourceRequest,
      ResponseEncoder responseEncoder,
      Supplier<WriteResult> write) {
    try {
      var writeResult = write.get();
      crdStatusAwaiter.await(resourceRequest.type(), writeResult);
      answer(request, responseEncoder, writeResult);
    } catch (OutdatedTypeException e) {
      request.reroute();
    } catch (ApiException e) {
      refuse(request, resourceRequest, e);
    } catch (RuntimeException | Error e) {
      request.fail(e);
    }
  }

  /**
   * Whether the write may take long: its body or its object is large, or its rules, selectors or
   * expressions can cost any amount of work.
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

  /** Whether the object exists in the newest snapshot and is large. */
  private boolean isLarge(String storage, String namespace, String name) {
    try {
      var object = replica.current().collection(storage).get(namespace, name);
      return object != null && object.json().length > LARGE_OBJECT;
    } catch (ReplicaException e) {
      return false;
    }
  }

  /**
   * Answers with the refusal. If the custom type has changed since the request began, the request
   * is routed again instead.
   */
  private void refuse(Request request, ResourceRequest resourceRequest, ApiException why) {
    try {
      if (resourceRequest.type().isCustom()
          && Types.in(handlers.latest(request.deadline())).now(resourceRequest.type())
              != resourceRequest.type()) {
        request.reroute();
        return;
      }
    } catch (RuntimeException e) {
      request.fail(e);
      return;
    }
    request.fail(why);
  }

  private static void answer(
      Request request, ResponseEncoder responseEncoder, WriteResult writeResult) {
    var type = responseEncoder.contentType();
    switch (writeResult) {
      case WriteResult.Stored stored when !responseEncoder.isPrecomputed(stored.object()) ->
          request.answer(stored.code(), type, responseEncoder.parts(stored.object()));
      case WriteResult.Stored stored ->
          request.answer(stored.code(), type, responseEncoder.object(stored.object()));
      case WriteResult.Shown shown ->
          request.answer(shown.code(), type, responseEncoder.object(shown.object()));
      case WriteResult.Made made ->
          request.answer(made.code(), type, responseEncoder.made(made.body()));
      case WriteResult.Done done ->
          request.answer(done.code(), StatusBody.success(done.code(), done.details()));
      case WriteResult.Several several ->
          request.answer(several.code(), type, responseEncoder.list(several.removed()));
    }
  }
}
