package dev.muster.registry.write;

import dev.muster.model.status.ApiException;
import dev.muster.model.status.StatusDetails;
import dev.muster.registry.commit.AttemptResult;
import dev.muster.registry.request.ResourceRequest;
import dev.muster.replica.snapshot.ReplicaException;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.store.Operation;
import dev.muster.types.options.DeleteOptions;
import java.util.List;

/**
 * Deletes single unreadable objects: their encryption key is lost or they are damaged. Its methods
 * block and run on virtual threads. Admission, finalizers and preconditions do not apply, because
 * they need the object. Allocations of the object, such as an address or quota usage, stay taken
 * until they are recounted.
 */
final class UnreadableDeletion {
  private final WriteContext context;

  UnreadableDeletion(WriteContext context) {
    this.context = context;
  }

  /**
   * @throws ApiException NotFound, or Conflict when the object is readable
   */
  WriteResult delete(ResourceRequest resourceRequest, DeleteOptions options) {
    resourceRequest.annotations().add("apiserver.k8s.io/unsafe-delete-ignore-read-error", "");
    return context
        .attempts()
        .carryOut(
            resourceRequest.terms(resourceRequest.name()),
            (snapshot, _) -> attempt(resourceRequest, options, snapshot));
  }

  private AttemptResult<WriteResult> attempt(
      ResourceRequest resourceRequest, DeleteOptions options, Snapshot snapshot) {
    long revision = unreadableRevision(resourceRequest, snapshot);
    var answer =
        new WriteResult.Done(
            200,
            new StatusDetails(
                resourceRequest.name(),
                "",
                resourceRequest.type().kind().kind(),
                "",
                List.of(),
                0));
    if (options.dryRun()) {
      return new AttemptResult.Answer<>(answer);
    }
    return new AttemptResult.Write<>(
        List.of(new Operation.Delete(resourceRequest.key(resourceRequest.name()), revision)),
        committed -> {
          context.commits().shown(committed, resourceRequest.deadline());
          return answer;
        });
  }

  private static long unreadableRevision(ResourceRequest resourceRequest, Snapshot snapshot) {
    var collection = snapshot.collection(resourceRequest.type().storage());
    try {
      if (collection.get(resourceRequest.namespace(), resourceRequest.name()) == null) {
        throw ApiException.notFound(resourceRequest.type().groupResource(), resourceRequest.name());
      }
    } catch (ReplicaException.Unreadable e) {
      return e.object().revision();
    }
    throw ApiException.conflict(
        resourceRequest.type().groupResource(),
        resourceRequest.name(),
        "StorageError: invalid object, Code: 4, Key: /registry%s, ResourceVersion: 0, AdditionalErrorMsg: unsafe deletion is not allowed because the object is decodable from storage"
            .formatted(resourceRequest.key(resourceRequest.name())));
  }
}
