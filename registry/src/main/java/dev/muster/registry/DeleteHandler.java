package dev.muster.registry;

import dev.muster.model.ApiException;
import dev.muster.model.JsonObject;
import dev.muster.model.ObjectName;
import dev.muster.model.StatusDetails;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.Operation;
import dev.muster.registry.admission.SnapshotView;
import dev.muster.replica.Snapshot;
import dev.muster.replica.StoredObject;
import dev.muster.store.CommitResult;
import dev.muster.store.Transaction;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/** Deletes single objects. Blocks; called on virtual threads. */
public final class DeleteHandler {
  private static final int TRIES = 30;

  private final Surroundings around;

  public DeleteHandler(Surroundings around) {
    this.around = around;
  }

  public Outcome delete(Call call, DeleteOptions options) {
    call.checkName();
    var reason = call.type().strategy().whyKept(call.name());
    if (!reason.isEmpty()) {
      throw ApiException.forbidden(call.type().groupResource(), call.name(), reason);
    }
    warnOfOrphans(call, options);
    return deleteMember(call, options);
  }

  /** Says, whatever comes of the request, that dependents stay unless the client says otherwise. */
  static void warnOfOrphans(Call call, DeleteOptions options) {
    var strategy = call.type().strategy();
    boolean silent = options.propagation().isEmpty() && options.orphanDependents() == null;
    if (silent && strategy.orphansDependents() && !strategy.orphanWarning().isEmpty()) {
      call.warnings().accept(strategy.orphanWarning());
    }
  }

  /** The same for an object that goes because its whole collection does. */
  Outcome deleteMember(Call call, DeleteOptions options) {
    var snapshot = around.commits().current();
    for (int i = 0; i < TRIES; i++) {
      var existing = find(call, snapshot);
      if (existing == null || mustSeeLatest(options, existing)) {
        snapshot = around.commits().fresh();
        existing = find(call, snapshot);
      }
      if (existing == null) {
        throw ApiException.notFound(call.type().groupResource(), call.name());
      }
      var outcome = attempt(call, options, snapshot, existing);
      if (outcome != null) {
        return outcome;
      }
      snapshot = around.commits().fresh();
    }
    throw Contention.of(call, call.name());
  }

  private static @Nullable StoredObject find(Call call, Snapshot snapshot) {
    return snapshot.collection(call.type().storage()).get(call.namespace(), call.name());
  }

  /** A precondition that seems to fail may only look so from a replica that is behind. */
  private static boolean mustSeeLatest(DeleteOptions options, StoredObject existing) {
    var uid = options.uid();
    var version = options.resourceVersion();
    boolean otherUid = uid != null && !uid.equals(existing.uid());
    return otherUid || (version != null && !version.equals(Long.toString(existing.revision())));
  }

  /** Null when somebody else changed the object meanwhile. */
  private @Nullable Outcome attempt(
      Call call, DeleteOptions options, Snapshot snapshot, StoredObject existing) {
    var old = existing.tree();
    var type = call.type();
    var strategy = type.strategy();
    Preconditions.check(call, options, old);
    var request =
        new AdmissionRequest(
            Operation.DELETE,
            type,
            call.subresource(),
            call.namespace(),
            call.name(),
            null,
            old,
            call.user(),
            options.dryRun(),
            options.body(),
            new SnapshotView(snapshot),
            call.warnings());
    around.admission().admit(request);
    around.admission().validate(request);
    var deletion = strategy.deletion(old, options, around.now());
    return switch (deletion) {
      case Deletion.Leave ignored -> new Outcome.Stored(code(options), existing);
      case Deletion.Mark mark -> mark(call, options, existing, mark.marked());
      case Deletion.Remove remove -> remove(call, options, snapshot, existing, remove.shown());
    };
  }

  /** 202 when the client asked, in the old way, for dependents to go too, and they may not have. */
  private static int code(DeleteOptions options) {
    return Boolean.FALSE.equals(options.orphanDependents()) ? 202 : 200;
  }

  private @Nullable Outcome mark(
      Call call, DeleteOptions options, StoredObject existing, JsonObject marked) {
    var object = Normal.of(call.type(), marked);
    if (options.dryRun()) {
      return new Outcome.Shown(code(options), object);
    }
    var put =
        new dev.muster.store.Operation.Put(
            call.key(call.name()), around.codec().encode(object), existing.revision());
    return switch (around.commits().commit(Transaction.of(put))) {
      case CommitResult.Committed done -> {
        var name = new ObjectName(call.namespace(), call.name());
        yield new Outcome.Stored(
            code(options), around.commits().written(call.type().storage(), name, done.revision()));
      }
      case CommitResult.Conflict ignored -> null;
      case CommitResult.Unknown unknown -> throw unknown.cause();
    };
  }

  private @Nullable Outcome remove(
      Call call,
      DeleteOptions options,
      Snapshot snapshot,
      StoredObject existing,
      JsonObject shown) {
    if (!options.dryRun()) {
      var operations = new ArrayList<>(around.allocations().release(call.type(), shown, snapshot));
      operations.add(
          new dev.muster.store.Operation.Delete(call.key(call.name()), existing.revision()));
      switch (around.commits().commit(new Transaction(operations))) {
        case CommitResult.Committed done -> around.commits().shown(done.revision());
        case CommitResult.Conflict ignored -> {
          return null;
        }
        case CommitResult.Unknown unknown -> throw unknown.cause();
      }
    }
    if (call.type().strategy().answersDeleteWithObject()) {
      return new Outcome.Shown(200, shown);
    }
    var resource = call.type().groupResource();
    return new Outcome.Done(
        200,
        new StatusDetails(
            call.name(),
            resource.group(),
            resource.resource(),
            existing.uid(),
            java.util.List.of(),
            0));
  }
}
