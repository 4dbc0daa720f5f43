package dev.muster.registry.write;

import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.StatusDetails;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.commit.WriteStep;
import dev.muster.registry.commit.WriteTerms;
import dev.muster.registry.options.DeleteOptions;
import dev.muster.registry.request.Call;
import dev.muster.registry.request.Preconditions;
import dev.muster.registry.types.CanonicalForm;
import dev.muster.registry.types.Deletion;
import dev.muster.registry.types.SnapshotView;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.store.Operation;
import dev.muster.store.Transaction;
import java.util.ArrayList;
import java.util.List;

/** Deletes single objects. Blocks; called on virtual threads. */
public final class DeleteHandler {
  private final WriteContext context;
  private final UnreadableDeletion unreadable;

  public DeleteHandler(WriteContext context) {
    this.context = context;
    this.unreadable = new UnreadableDeletion(context);
  }

  public Outcome delete(Call call, DeleteOptions options) {
    call.checkName();
    var reason = call.type().strategy().whyKept(call.name());
    if (!reason.isEmpty()) {
      throw ApiException.forbidden(call.type().groupResource(), call.name(), reason);
    }
    if (options.ignoresReadError()) {
      return unreadable.delete(call, options);
    }
    warnOfOrphans(call, options);
    return delete(call, options, call.terms(call.name()), call.name());
  }

  /** Says, whatever comes of the request, that dependents stay unless the client says otherwise. */
  static void warnOfOrphans(Call call, DeleteOptions options) {
    var strategy = call.type().strategy();
    boolean silent = options.propagation().isEmpty() && options.orphanDependents() == null;
    if (silent && strategy.orphansDependents() && !strategy.orphanWarning().isEmpty()) {
      call.warnings().accept(strategy.orphanWarning());
    }
  }

  /**
   * Deletes an object because its whole collection goes. The request names no object, so policies
   * and webhooks see no name, as with kube-apiserver; rules of our own take the object's.
   *
   * @param seen the revision at which the collection was listed
   */
  void deleteMember(Call call, DeleteOptions options, long seen) {
    delete(call, options, call.terms(call.name()).since(seen), "");
  }

  private Outcome delete(Call call, DeleteOptions options, WriteTerms terms, String named) {
    return context
        .attempts()
        .carryOut(
            terms,
            (snapshot, warnings) -> attempt(call.withWarnings(warnings), options, snapshot, named));
  }

  /**
   * @param named the name that was asked for, or ""
   */
  private WriteStep<Outcome> attempt(
      Call call, DeleteOptions options, Snapshot snapshot, String named) {
    var existing = snapshot.collection(call.type().storage()).get(call.namespace(), call.name());
    if (existing == null) {
      throw ApiException.notFound(call.type().groupResource(), call.name());
    }
    var old = existing.tree();
    var type = call.type();
    var strategy = type.strategy();
    Preconditions.check(call, options, old);
    var request =
        call.admission(
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
          new WriteStep.Answer<>(new Outcome.Stored(code(options), existing));
      case Deletion.Mark mark -> mark(call, options, existing, mark.marked());
      case Deletion.Remove remove -> remove(call, options, snapshot, existing, remove.shown());
    };
  }

  /** 202 when the client asked, in the old way, for dependents to go too, and they may not have. */
  private static int code(DeleteOptions options) {
    return Boolean.FALSE.equals(options.orphanDependents()) ? 202 : 200;
  }

  private WriteStep<Outcome> mark(
      Call call, DeleteOptions options, StoredObject existing, JsonObject marked) {
    var object = CanonicalForm.of(call.type(), marked);
    if (options.dryRun()) {
      return new WriteStep.Answer<>(new Outcome.Shown(code(options), object));
    }
    var put =
        new Operation.Put(
            call.key(call.name()), context.encoded(call.type(), object), existing.revision());
    return new WriteStep.Write<>(
        new Transaction(List.of(put), true),
        revision -> context.stored(code(options), call, object, revision));
  }

  private WriteStep<Outcome> remove(
      Call call,
      DeleteOptions options,
      Snapshot snapshot,
      StoredObject existing,
      JsonObject shown) {
    var answer = removed(call, existing, shown);
    if (options.dryRun()) {
      return new WriteStep.Answer<>(answer);
    }
    var operations = new ArrayList<>(context.allocations().release(call.type(), shown, snapshot));
    operations.add(new Operation.Delete(call.key(call.name()), existing.revision()));
    return new WriteStep.Write<>(
        operations,
        revision -> {
          context.commits().shown(revision, call.deadline());
          return answer;
        });
  }

  private static Outcome removed(Call call, StoredObject existing, JsonObject shown) {
    if (call.type().strategy().answersDeleteWithObject()) {
      return new Outcome.Shown(200, shown);
    }
    var resource = call.type().groupResource();
    return new Outcome.Done(
        200,
        new StatusDetails(
            call.name(), resource.group(), resource.resource(), existing.uid(), List.of(), 0));
  }
}
