package dev.muster.registry.write;

import dev.muster.model.GroupKind;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.StatusDetails;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldErrors;
import dev.muster.model.validation.FieldPath;
import dev.muster.patch.ownership.FieldOwnership;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.commit.AttemptResult;
import dev.muster.registry.request.ResourceRequest;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.object.WrittenTree;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.store.Operation;
import dev.muster.store.Transaction;
import dev.muster.types.CanonicalForm;
import dev.muster.types.ObjectMeta;
import dev.muster.types.SnapshotView;
import dev.muster.types.options.ResourceVersions;
import dev.muster.types.options.WriteOptions;
import java.util.ArrayList;
import java.util.List;

/**
 * Updates objects: PUT, every kind of patch, and subresources that change their parent. An attempt
 * changes the object of its snapshot, guarded by the object's mod revision; an update of a missing
 * object creates it where that is allowed. Its methods block and run on virtual threads.
 */
public final class UpdateHandler {
  public static final String MODIFIED =
      "the object has been modified; please apply your changes to the latest version and try again";

  private static final WriteOptions OWN =
      new WriteOptions(false, "", WriteOptions.Strictness.IGNORE, false);

  private final WriteContext context;
  private final CreateHandler creates;

  public UpdateHandler(WriteContext context, CreateHandler creates) {
    this.context = context;
    this.creates = creates;
  }

  WriteResult update(
      ResourceRequest resourceRequest,
      ObjectChange change,
      WriteOptions options,
      WriteSemantics semantics) {
    resourceRequest.checkName();
    return context.carryOut(
        resourceRequest.terms(resourceRequest.name()),
        semantics,
        kept ->
            (snapshot, warnings) ->
                attempt(resourceRequest.withWarnings(warnings), change, options, kept, snapshot));
  }

  /**
   * Makes a change of the server itself, with retries after conflicts.
   *
   * @param change receives the object, or null when there is none, and returns the new object, or
   *     null to change nothing; called again after each conflict
   * @return {@link WriteResult.Done} when there is no object, else the object
   */
  public WriteResult change(ResourceRequest resourceRequest, ServerChange change) {
    return update(
        resourceRequest,
        (attempt, existing) -> {
          var tree = existing == null ? null : existing.tree();
          var wanted = change.of(tree);
          return wanted == null || (tree != null && wanted.equals(tree))
              ? null
              : resourceRequest.type().strategy().defaults(wanted);
        },
        OWN,
        WriteSemantics.put(true));
  }

  private AttemptResult<WriteResult> attempt(
      ResourceRequest resourceRequest,
      ObjectChange change,
      WriteOptions options,
      WriteSemantics semantics,
      Snapshot snapshot) {
    var existing =
        snapshot
            .collection(resourceRequest.type().storage())
            .get(resourceRequest.namespace(), resourceRequest.name());
    return existing == null
        ? createInstead(resourceRequest, change, options, semantics, snapshot)
        : replacement(resourceRequest, change, options, semantics, snapshot, existing);
  }

  private AttemptResult<WriteResult> createInstead(
      ResourceRequest resourceRequest,
      ObjectChange change,
      WriteOptions options,
      WriteSemantics semantics,
      Snapshot snapshot) {
    if (!semantics.createsMissing()) {
      if (semantics.patches()) {
        change.of(resourceRequest, null); // errors in the patch itself come first
      }
      throw ApiException.notFound(resourceRequest.type().groupResource(), resourceRequest.name());
    }
    var object = change.of(resourceRequest, null);
    if (object == null) {
      return new AttemptResult.Settled<>(new WriteResult.Done(200, StatusDetails.NONE));
    }
    if (semantics.replaces() && !ObjectMeta.uid(object).isEmpty()) {
      throw uidMismatch(resourceRequest, ObjectMeta.uid(object), "", options.dryRun());
    }
    return creates.attempt(resourceRequest, object, options, semantics, snapshot);
  }

  private AttemptResult<WriteResult> replacement(
      ResourceRequest resourceRequest,
      ObjectChange change,
      WriteOptions options,
      WriteSemantics semantics,
      Snapshot snapshot,
      StoredObject existing) {
    var live = ExistingObject.of(resourceRequest.type(), existing);
    var old = live.tree();
    var changed = change.of(resourceRequest, live);
    if (changed == null) {
      return new AttemptResult.Settled<>(new WriteResult.Stored(200, existing));
    }
    var sent = StructuralSharing.from(old, changed);
    if (semantics.replaces()) {
      checkUid(resourceRequest, sent, old, options.dryRun());
    }
    checkVersion(resourceRequest, sent, existing);
    var prepared = prepare(resourceRequest, sent, live, options, semantics, snapshot);
    var object = prepared.object();
    boolean removes = removes(resourceRequest, object, old);
    if (!removes
        && sameContent(object, old)
        && !context.commits().isOutdated(resourceRequest.key(resourceRequest.name()), existing)) {
      return new AttemptResult.Answer<>(
          new WriteResult.Stored(200, existing),
          newer -> isUnchanged(resourceRequest, existing, newer));
    }
    if (options.dryRun()) {
      return new AttemptResult.Answer<>(
          new WriteResult.Shown(200, ObjectMeta.keep(object, old, "resourceVersion")));
    }
    return removes
        ? removal(resourceRequest, prepared, existing, snapshot)
        : write(resourceRequest, prepared, existing);
  }

  private static boolean isUnchanged(
      ResourceRequest resourceRequest, StoredObject object, Snapshot newer) {
    var now =
        newer
            .collection(resourceRequest.type().storage())
            .get(resourceRequest.namespace(), resourceRequest.name());
    return now != null && now.revision() == object.revision();
  }

  private AttemptResult<WriteResult> write(
      ResourceRequest resourceRequest, Prepared prepared, StoredObject existing) {
    var object = prepared.object();
    var operations = new ArrayList<>(prepared.companions());
    operations.add(
        new Operation.Put(
            resourceRequest.key(resourceRequest.name()),
            context.encoded(resourceRequest.type(), object, existing),
            existing.revision(),
            resourceRequest.type().timeToLive()));
    var tree = new WrittenTree(object, prepared.isValid());
    // Updates of objects that are being deleted make room: controllers remove finalizers one by
    // one.
    var transaction = new Transaction(operations, ObjectMeta.isDeleting(object));
    return new AttemptResult.Write<>(
        transaction, revision -> context.remembered(200, resourceRequest, tree, revision));
  }

  /** The update removed the last reason to keep a deleted object, so the object is deleted. */
  private AttemptResult<WriteResult> removal(
      ResourceRequest resourceRequest,
      Prepared prepared,
      StoredObject existing,
      Snapshot snapshot) {
    var operations = new ArrayList<>(prepared.companions());
    operations.addAll(
        context.allocations().release(resourceRequest.type(), existing.tree(), snapshot));
    operations.add(
        new Operation.Delete(resourceRequest.key(resourceRequest.name()), existing.revision()));
    return new AttemptResult.Write<>(
        operations,
        revision -> {
          context.commits().shown(revision, resourceRequest.deadline());
          return new WriteResult.Shown(
              200, ObjectMeta.with(prepared.object(), "resourceVersion", Long.toString(revision)));
        });
  }

  /**
   * Refuses a resourceVersion that is not the current one. The result of a patch has the current
   * one unless the patch itself sets another.
   */
  private static void checkVersion(
      ResourceRequest resourceRequest, JsonObject sent, StoredObject existing) {
    var version = ObjectMeta.resourceVersion(sent);
    if (version.isEmpty() || version.equals("0")) {
      if (!resourceRequest.type().strategy().allowsUnconditionalUpdate()) {
        var error =
            FieldError.invalid(
                FieldPath.of("metadata", "resourceVersion"),
                Json.of(0),
                "must be specified for an update");
        var resource = resourceRequest.type().groupResource();
        throw ApiException.invalid(
            new GroupKind(resource.group(), resource.resource()),
            resourceRequest.name(),
            List.of(error));
      }
    } else if (ResourceVersions.parse(version) != existing.revision()) {
      throw ApiException.conflict(
          resourceRequest.type().groupResource(), resourceRequest.name(), MODIFIED);
    }
  }

  private void checkUid(
      ResourceRequest resourceRequest, JsonObject sent, JsonObject old, boolean dryRun) {
    var uid = ObjectMeta.uid(sent);
    if (!uid.isEmpty() && !uid.equals(ObjectMeta.uid(old))) {
      throw uidMismatch(resourceRequest, uid, ObjectMeta.uid(old), dryRun);
    }
  }

  /** Like upstream, a dry run shows the key without the storage prefix. */
  private ApiException uidMismatch(
      ResourceRequest resourceRequest, String wanted, String actual, boolean dryRun) {
    var prefix = dryRun ? "" : context.publicPrefix();
    return ApiException.conflict(
        resourceRequest.type().groupResource(),
        resourceRequest.name(),
        StorageErrors.precondition(
            prefix + resourceRequest.key(resourceRequest.name()), "UID", wanted, actual));
  }

  private record Prepared(JsonObject object, boolean isValid, List<Operation> companions) {}

  private Prepared prepare(
      ResourceRequest resourceRequest,
      JsonObject sent,
      ExistingObject live,
      WriteOptions options,
      WriteSemantics semantics,
      Snapshot snapshot) {
    var type = resourceRequest.type();
    var old = live.tree();
    var strategy = type.strategy();
    var view = SubresourceView.of(resourceRequest);
    var object = OwnerReferences.deduplicate(sent, semantics.patches(), resourceRequest.warnings());
    var manager = resourceRequest.manager(options.fieldManager());
    object =
        FieldOwners.afterWrite(resourceRequest, semantics, old, object, manager, context.now());
    CreateHandler.matchNamespace(resourceRequest, object);
    var request =
        resourceRequest.admission(
            AdmissionOperation.UPDATE,
            resourceRequest.name(),
            shown(resourceRequest, object),
            shown(resourceRequest, old),
            options.dryRun(),
            options.asObject(semantics.verb().optionsKind()),
            new SnapshotView(snapshot));
    var admitted =
        changed(resourceRequest, object, request.mustObject(), context.admission().admit(request));
    object = FieldOwners.afterAdmission(resourceRequest, object, admitted);
    object = OwnerReferences.deduplicate(object, true, resourceRequest.warnings());
    CreateHandler.matchNamespace(resourceRequest, object);
    object = keepServerFields(resourceRequest, object, old);
    object = view.prepare(strategy, object, old);
    var companions = new ArrayList<Operation>();
    if (view == SubresourceView.WHOLE) {
      var grant = context.allocations().allocate(type, object, old, snapshot, options.dryRun());
      object = grant.object();
      companions.addAll(grant.operations());
    }
    var checked = object;
    var errors =
        FieldErrors.of(
            found -> {
              strategy.validateAmong(checked, old, new SnapshotView(snapshot), found);
              if (live.isValid() && view == SubresourceView.WHOLE) {
                strategy.validateUpdateOfValid(checked, old, found, resourceRequest.warnings());
              } else {
                view.validate(strategy, checked, old, found, resourceRequest.warnings());
              }
            });
    if (!errors.isEmpty()) {
      throw ApiException.invalid(ObjectMeta.kindIn(type, object), resourceRequest.name(), errors);
    }
    object = FieldOwnership.withoutIdleTimes(old, CanonicalForm.of(type, object, live.canonical()));
    view.warnings(strategy, object, old).forEach(resourceRequest.warnings());
    for (var relatedStatusUpdate :
        context.admission().validate(request.withObject(shown(resourceRequest, object)))) {
      companions.add(creates.operation(relatedStatusUpdate));
    }
    return new Prepared(object, view.leavesValid(live), companions);
  }

  /** The object that admission sees: the object itself, or its Scale. */
  private static JsonObject shown(ResourceRequest resourceRequest, JsonObject object) {
    return resourceRequest.subresource().equals("scale")
        ? ScaleHandler.of(resourceRequest.type(), object)
        : object;
  }

  /** The object with the changes that admission made to what it saw. */
  private static JsonObject changed(
      ResourceRequest resourceRequest, JsonObject object, JsonObject shown, JsonObject admitted) {
    if (!resourceRequest.subresource().equals("scale")) {
      return admitted;
    }
    return admitted == shown
        ? object
        : ScaleHandler.scaled(resourceRequest.type(), object, admitted);
  }

  /** Restores the fields that only the server may set. */
  private static JsonObject keepServerFields(
      ResourceRequest resourceRequest, JsonObject sent, JsonObject old) {
    var object = ObjectMeta.with(sent, "namespace", resourceRequest.namespace());
    object = ObjectMeta.keep(object, old, "generation");
    if (ResourceVersions.parse(ObjectMeta.resourceVersion(object)) == 0) {
      object = ObjectMeta.keep(object, old, "resourceVersion");
    }
    if (ObjectMeta.uid(object).isEmpty()) {
      object = ObjectMeta.keep(object, old, "uid");
    }
    object = ObjectMeta.keep(object, old, "creationTimestamp");
    if (ObjectMeta.isDeleting(old)) {
      object = ObjectMeta.keep(object, old, "deletionTimestamp");
    }
    if (!object.object("metadata").has("deletionGracePeriodSeconds")) {
      object = ObjectMeta.keep(object, old, "deletionGracePeriodSeconds");
    }
    return ObjectMeta.with(object, "selfLink", "");
  }

  /** Whether the update removes the last reason to keep a deleted object. */
  private static boolean removes(
      ResourceRequest resourceRequest, JsonObject object, JsonObject old) {
    return ObjectMeta.isDeleting(old)
        && !resourceRequest.type().strategy().isHeld(object)
        && old.object("metadata").integer("deletionGracePeriodSeconds", 0) == 0;
  }

  private static boolean sameContent(JsonObject object, JsonObject old) {
    return ObjectMeta.keep(object, old, "resourceVersion").equals(old);
  }
}
