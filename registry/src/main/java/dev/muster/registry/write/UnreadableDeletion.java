package dev.muster.registry.write;

import dev.muster.model.status.ApiException;
import dev.muster.model.status.StatusDetails;
import dev.muster.registry.commit.WriteStep;
import dev.muster.registry.options.DeleteOptions;
import dev.muster.registry.request.Call;
import dev.muster.replica.snapshot.ReplicaException;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.store.Operation;
import java.util.List;

/**
 * Deletes single objects that nobody can read, because their key is lost or they are damaged.
 * Blocks; called on virtual threads. There is no object for admission, finalizers or preconditions
 * to look at: none of them is asked, and what the object held elsewhere, such as an address or its
 * part of a quota, stays taken until somebody counts again.
 */
final class UnreadableDeletion {
  private final WriteContext context;

  UnreadableDeletion(WriteContext context) {
    this.context = context;
  }

  /**
   * @throws ApiException NotFound, or Conflict when the object can be read
   */
  Outcome delete(Call call, DeleteOptions options) {
    call.annotations().add("apiserver.k8s.io/unsafe-delete-ignore-read-error", "");
    return context
        .attempts()
        .carryOut(call.terms(call.name()), (snapshot, _) -> attempt(call, options, snapshot));
  }

  private WriteStep<Outcome> attempt(Call call, DeleteOptions options, Snapshot snapshot) {
    long revision = unreadableRevision(call, snapshot);
    var answer =
        new Outcome.Done(
            200, new StatusDetails(call.name(), "", call.type().kind().kind(), "", List.of(), 0));
    if (options.dryRun()) {
      return new WriteStep.Answer<>(answer);
    }
    return new WriteStep.Write<>(
        List.of(new Operation.Delete(call.key(call.name()), revision)),
        committed -> {
          context.commits().shown(committed, call.deadline());
          return answer;
        });
  }

  private static long unreadableRevision(Call call, Snapshot snapshot) {
    var collection = snapshot.collection(call.type().storage());
    try {
      if (collection.get(call.namespace(), call.name()) == null) {
        throw ApiException.notFound(call.type().groupResource(), call.name());
      }
    } catch (ReplicaException.Unreadable e) {
      return e.object().revision();
    }
    throw ApiException.conflict(
        call.type().groupResource(),
        call.name(),
        "StorageError: invalid object, Code: 4, Key: /registry%s, ResourceVersion: 0, AdditionalErrorMsg: unsafe deletion is not allowed because the object is decodable from storage"
            .formatted(call.key(call.name())));
  }
}
