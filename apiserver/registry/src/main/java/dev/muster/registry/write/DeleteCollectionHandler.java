package dev.muster.registry.write;

import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.registry.read.ListPage;
import dev.muster.registry.read.Selection;
import dev.muster.registry.request.ResourceRequest;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.snapshot.ReplicaException;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.types.options.DeleteOptions;
import dev.muster.types.options.ListOptions;
import dev.muster.types.options.ResourceVersions;
import java.util.ArrayList;

/** Deletes all objects that a selection matches. Its methods block and run on virtual threads. */
public final class DeleteCollectionHandler {
  private final WriteContext context;
  private final DeleteHandler deletes;

  public DeleteCollectionHandler(WriteContext context, DeleteHandler deletes) {
    this.context = context;
    this.deletes = deletes;
  }

  public WriteResult delete(
      ResourceRequest resourceRequest,
      DeleteOptions options,
      Selection selection,
      ListOptions listOptions) {
    DeleteHandler.warnOfOrphans(resourceRequest, options);
    if (!listOptions.resourceVersion().isEmpty()) {
      ResourceVersions.ofList(listOptions.resourceVersion());
    }
    var snapshot = context.commits().fresh(resourceRequest.deadline());
    resourceRequest.permission().in(snapshot);
    var page = ListPage.of(snapshot, resourceRequest.type(), selection, listOptions);
    var removed = new ArrayList<StoredObject>();
    for (var object : page.objects()) {
      var one = resourceRequest.about(object.name().namespace(), object.name().name());
      try {
        deletes.deleteMember(one, options, snapshot.revision());
        removed.add(object);
      } catch (ApiException e) {
        if (e.reason() != Reason.NOT_FOUND) {
          throw e;
        }
      }
    }
    if (listOptions.labelSelector().isEmpty() && listOptions.fieldSelector().isEmpty()) {
      refuseToForget(resourceRequest, snapshot);
    }
    return new WriteResult.Several(200, page.of(removed));
  }

  /**
   * Refuses while the collection contains unreadable objects: the namespace controller must not
   * conclude that the namespace is empty, since the objects may become readable again.
   */
  private static void refuseToForget(ResourceRequest resourceRequest, Snapshot snapshot) {
    snapshot.collection(resourceRequest.type().storage()).unreadable().stream()
        .filter(
            object ->
                resourceRequest.namespace().isEmpty()
                    || resourceRequest.namespace().equals(object.name().namespace()))
        .findFirst()
        .ifPresent(
            object -> {
              throw new ReplicaException.Unreadable(object);
            });
  }
}
