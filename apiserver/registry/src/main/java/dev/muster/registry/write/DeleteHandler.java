package dev.muster.registry.write;

import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.StatusDetails;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.commit.AttemptResult;
import dev.muster.registry.commit.WriteConstraints;
import dev.muster.registry.request.Preconditions;
import dev.muster.registry.request.ResourceRequest;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.store.Operation;
import dev.muster.store.Transaction;
import dev.muster.types.CanonicalForm;
import dev.muster.types.Deletion;
import dev.muster.types.SnapshotView;
import dev.muster.types.options.DeleteOptions;
import java.util.ArrayList;
import java.util.List;

/** Deletes single objects. Its methods block and run on virtual threads. */
public final class DeleteHandler {
  private final WriteContext context;
  private final UnreadableDeletion unreadable;

  public DeleteHandler(WriteContext context) {
    this.context = context;
    this.unreadable = new UnreadableDeletion(context);
  }

  public WriteResult delete(ResourceRequest resourceRequest, DeleteOptions options) {
    resourceRequest.checkName();
    var reason = resourceRequest.type().strategy().whyKept(resourceRequest.name());
    if (!reason.isEmpty()) {
      throw ApiException.forbidden(
          resourceRequest.type().groupResource(), resourceRequest.name(), reason);
    }
    if (options.ignoresReadError()) {
      return unreadable.delete(resourceRequest, options);
    }
    warnOfOrphans(resourceRequest, options);
    return delete(
        resourceRequest,
        options,
        resourceRequest.terms(resourceRequest.name()),
        resourceRequest.name());
  }

  /** Warns, whatever the result of the request, that dependents are orphaned by default. */
  static void warnOfOrphans(ResourceRequest resourceRequest, DeleteOptions options) {
    var strategy = resourceRequest.type().strategy();
    boolean silent = options.propagation().isEmpty() && options.orphanDependents() == null;
    if (silent && strategy.orphansDependents() && !strategy.orphanWarning().isEmpty()) {
      resourceRequest.warnings().accept(strategy.orphanWarning());
    }
  }

  /**
   * Deletes a member of a deleted collection. Policies and webhooks see no name, as in
   * kube-apiserver; built-in admission plugins see the object's name.
   *
   * @param seen the revision at which the collection was listed
   */
  void deleteMember(ResourceRequest resourceRequest, DeleteOptions options, long seen) {
    delete(resourceRequest, options, resourceRequest.terms(resourceRequest.name()).since(seen), "");
  }

  private WriteResult delete(
      ResourceRequest resourceRequest,
      DeleteOptions options,
      WriteConstraints terms,
      String named) {
    return context
        .attempts()
        .carryOut(
            terms,
            (snapshot, warnings) ->
                attempt(resourceRequest.withWarnings(warnings), options, snapshot, named));
  }

  /**
   * @param named the name in the request, or ""
   */
  private AttemptResult<WriteResult> attempt(
      ResourceRequest resourceRequest, DeleteOptions options, Snapshot snapshot, String named) {
    var existing =
        snapshot
            .collection(resourceRequest.type().storage())
            .get(resourceRequest.namespace(), resourceRequest.name());
    if (existing == null) {
      throw ApiException.notFound(resourceRequest.type().groupResource(), resourceRequest.name());
    }
    var old = existing.tree();
    var type = resourceRequest.type();
    var strategy = type.strategy();
    Preconditions.check(resourceRequest, options, old);
    var request =
        resourceRequest.admission(
            AdmissionOperation.DELETE,
            named,
            null,
            old,
            options.dryRun(),
            options.asObject(),
            new SnapshotView(snapshot));
    context.admission().admit(request);
    context.admission().validate(request);
    var deletion = strategy.deletion(old, options, context.now());
    return switch (deletion) {
      case Deletion.Leave ignored ->
          new AttemptResult.Answer<>(new WriteResult.Stored(code(options), existing));
      case Deletion.Mark mark -> mark(resourceRequest, options, existing, mark.marked());
      case Deletion.Remove remove ->
          remove(resourceRequest, options, snapshot, existing, remove.shown());
    };
  }

  /**
   * 202 when the client set {@code orphanDependents} to false and the dependents may still exist.
   */
  private static int code(DeleteOptions options) {
    return Boolean.FALSE.equals(options.orphanDependents()) ? 202 : 200;
  }

  private AttemptResult<WriteResult> mark(
      ResourceRequest resourceRequest,
      DeleteOptions options,
      StoredObject existing,
      JsonObject marked) {
    var object = CanonicalForm.of(resourceRequest.type(), marked);
    if (options.dryRun()) {
      return new AttemptResult.Answer<>(new WriteResult.Shown(code(options), object));
    }
    var put =
        new Operation.Put(
            resourceRequest.key(resourceRequest.name()),
            context.encoded(resourceRequest.type(), object),
            existing.revision());
    return new AttemptResult.Write<>(
        new Transaction(List.of(put), true),
        revision -> context.stored(code(options), resourceRequest, object, revision));
  }

  private AttemptResult<WriteResult> remove(
      ResourceRequest resourceRequest,
      DeleteOptions options,
      Snapshot snapshot,
      StoredObject existing,
      JsonObject shown) {
    var answer = removed(resourceRequest, existing, shown);
    if (options.dryRun()) {
      return new AttemptResult.Answer<>(answer);
    }
    var operations =
        new ArrayList<>(context.allocations().release(resourceRequest.type(), shown, snapshot));
    operations.add(
        new Operation.Delete(resourceRequest.key(resourceRequest.name()), existing.revision()));
    return new AttemptResult.Write<>(
        operations,
        revision -> {
          context.commits().shown(revision, resourceRequest.deadline());
          return answer;
        });
  }

  private static WriteResult removed(
      ResourceRequest resourceRequest, StoredObject existing, JsonObject shown) {
    if (resourceRequest.type().strategy().answersDeleteWithObject()) {
      return new WriteResult.Shown(200, shown);
    }
    var resource = resourceRequest.type().groupResource();
    return new WriteResult.Done(
        200,
        new StatusDetails(
            resourceRequest.name(),
            resource.group(),
            resource.resource(),
            existing.uid(),
            List.of(),
            0));
  }
}
