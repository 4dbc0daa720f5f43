package dev.muster.registry.write;

import dev.muster.change.ownership.FieldOwnership;
import dev.muster.model.GroupKind;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.StatusDetails;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldErrors;
import dev.muster.model.validation.FieldPath;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.commit.WriteStep;
import dev.muster.registry.options.ResourceVersions;
import dev.muster.registry.options.WriteOptions;
import dev.muster.registry.request.Call;
import dev.muster.registry.types.CanonicalForm;
import dev.muster.registry.types.ObjectMeta;
import dev.muster.registry.types.SnapshotView;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.object.WrittenTree;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.store.Operation;
import dev.muster.store.Transaction;
import java.util.ArrayList;
import java.util.List;

/**
 * Changes objects: PUT, every kind of patch, and the subresources that change their parent. What is
 * changed is the object of the snapshot at hand, under the revision it has there; a change that
 * finds none makes one if it may. Blocks; called on virtual threads.
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

  Outcome update(Call call, ObjectChange change, WriteOptions options, WriteSemantics semantics) {
    call.checkName();
    return context.carryOut(
        call.terms(call.name()),
        semantics,
        kept ->
            (snapshot, warnings) ->
                attempt(call.withWarnings(warnings), change, options, kept, snapshot));
  }

  /**
   * A change of the server's own, of an object or of none: what it makes is written until nobody
   * else was faster.
   *
   * @param change gets null when there is no object; answers the object as it should be, or null to
   *     leave everything as it is; asked again whenever somebody else was faster
   * @return {@link Outcome.Done} when there is no object, else the object
   */
  public Outcome change(Call call, OwnChange change) {
    return update(
        call,
        (attempt, existing) -> {
          var tree = existing == null ? null : existing.tree();
          var wanted = change.of(tree);
          return wanted == null || (tree != null && wanted.equals(tree))
              ? null
              : call.type().strategy().defaults(wanted);
        },
        OWN,
        WriteSemantics.put(true));
  }

  private WriteStep<Outcome> attempt(
      Call call,
      ObjectChange change,
      WriteOptions options,
      WriteSemantics semantics,
      Snapshot snapshot) {
    var existing = snapshot.collection(call.type().storage()).get(call.namespace(), call.name());
    return existing == null
        ? createInstead(call, change, options, semantics, snapshot)
        : replacement(call, change, options, semantics, snapshot, existing);
  }

  private WriteStep<Outcome> createInstead(
      Call call,
      ObjectChange change,
      WriteOptions options,
      WriteSemantics semantics,
      Snapshot snapshot) {
    if (!semantics.createsMissing()) {
      if (semantics.patches()) {
        change.of(call, null); // what is wrong with the patch itself comes first
      }
      throw ApiException.notFound(call.type().groupResource(), call.name());
    }
    var object = change.of(call, null);
    if (object == null) {
      return new WriteStep.Settled<>(new Outcome.Done(200, StatusDetails.NONE));
    }
    if (semantics.replaces() && !ObjectMeta.uid(object).isEmpty()) {
      throw uidMismatch(call, ObjectMeta.uid(object), "", options.dryRun());
    }
    return creates.attempt(call, object, options, semantics, snapshot);
  }

  private WriteStep<Outcome> replacement(
      Call call,
      ObjectChange change,
      WriteOptions options,
      WriteSemantics semantics,
      Snapshot snapshot,
      StoredObject existing) {
    var live = ExistingObject.of(call.type(), existing);
    var old = live.tree();
    var changed = change.of(call, live);
    if (changed == null) {
      return new WriteStep.Settled<>(new Outcome.Stored(200, existing));
    }
    var sent = StructuralSharing.from(old, changed);
    if (semantics.replaces()) {
      checkUid(call, sent, old, options.dryRun());
    }
    checkVersion(call, sent, existing);
    var prepared = prepare(call, sent, live, options, semantics, snapshot);
    var object = prepared.object();
    boolean removes = removes(call, object, old);
    if (!removes
        && sameContent(object, old)
        && !context.commits().isOutdated(call.key(call.name()), existing)) {
      return new WriteStep.Answer<>(
          new Outcome.Stored(200, existing), newer -> isUnchanged(call, existing, newer));
    }
    if (options.dryRun()) {
      return new WriteStep.Answer<>(
          new Outcome.Shown(200, ObjectMeta.keep(object, old, "resourceVersion")));
    }
    return removes ? removal(call, prepared, existing, snapshot) : write(call, prepared, existing);
  }

  private static boolean isUnchanged(Call call, StoredObject object, Snapshot newer) {
    var now = newer.collection(call.type().storage()).get(call.namespace(), call.name());
    return now != null && now.revision() == object.revision();
  }

  private WriteStep<Outcome> write(Call call, Prepared prepared, StoredObject existing) {
    var object = prepared.object();
    var operations = new ArrayList<>(prepared.companions());
    operations.add(
        new Operation.Put(
            call.key(call.name()),
            context.encoded(call.type(), object, existing),
            existing.revision(),
            call.type().timeToLive()));
    var tree = new WrittenTree(object, prepared.isValid());
    // Finalizers of what is being deleted are taken away one by one.
    var transaction = new Transaction(operations, ObjectMeta.isDeleting(object));
    return new WriteStep.Write<>(
        transaction, revision -> context.remembered(200, call, tree, revision));
  }

  /** The change took away the last thing that held a deleted object back. */
  private WriteStep<Outcome> removal(
      Call call, Prepared prepared, StoredObject existing, Snapshot snapshot) {
    var operations = new ArrayList<>(prepared.companions());
    operations.addAll(context.allocations().release(call.type(), existing.tree(), snapshot));
    operations.add(new Operation.Delete(call.key(call.name()), existing.revision()));
    return new WriteStep.Write<>(
        operations,
        revision -> {
          context.commits().shown(revision, call.deadline());
          return new Outcome.Shown(
              200, ObjectMeta.with(prepared.object(), "resourceVersion", Long.toString(revision)));
        });
  }

  /**
   * Refuses a version that is not the present one. The result of a patch has the present one unless
   * the patch itself names another, so that only clients that insist on a version are refused.
   */
  private static void checkVersion(Call call, JsonObject sent, StoredObject existing) {
    var version = ObjectMeta.resourceVersion(sent);
    if (version.isEmpty() || version.equals("0")) {
      if (!call.type().strategy().allowsUnconditionalUpdate()) {
        var error =
            FieldError.invalid(
                FieldPath.of("metadata", "resourceVersion"),
                Json.of(0),
                "must be specified for an update");
        var resource = call.type().groupResource();
        throw ApiException.invalid(
            new GroupKind(resource.group(), resource.resource()), call.name(), List.of(error));
      }
    } else if (ResourceVersions.parse(version) != existing.revision()) {
      throw ApiException.conflict(call.type().groupResource(), call.name(), MODIFIED);
    }
  }

  private void checkUid(Call call, JsonObject sent, JsonObject old, boolean dryRun) {
    var uid = ObjectMeta.uid(sent);
    if (!uid.isEmpty() && !uid.equals(ObjectMeta.uid(old))) {
      throw uidMismatch(call, uid, ObjectMeta.uid(old), dryRun);
    }
  }

  /** A dry run does not get as far as the storage, which names its keys with a prefix. */
  private ApiException uidMismatch(Call call, String wanted, String actual, boolean dryRun) {
    var prefix = dryRun ? "" : context.publicPrefix();
    return ApiException.conflict(
        call.type().groupResource(),
        call.name(),
        StorageErrors.precondition(prefix + call.key(call.name()), "UID", wanted, actual));
  }

  private record Prepared(JsonObject object, boolean isValid, List<Operation> companions) {}

  private Prepared prepare(
      Call call,
      JsonObject sent,
      ExistingObject live,
      WriteOptions options,
      WriteSemantics semantics,
      Snapshot snapshot) {
    var type = call.type();
    var old = live.tree();
    var strategy = type.strategy();
    var view = SubresourceView.of(call);
    var object = OwnerReferences.deduplicate(sent, semantics.patches(), call.warnings());
    var manager = call.manager(options.fieldManager());
    object = FieldOwners.afterWrite(call, semantics, old, object, manager, context.now());
    CreateHandler.matchNamespace(call, object);
    var request =
        call.admission(
            AdmissionOperation.UPDATE,
            call.name(),
            shown(call, object),
            shown(call, old),
            options.dryRun(),
            options.asObject(semantics.verb().optionsKind()),
            new SnapshotView(snapshot));
    var admitted = changed(call, object, request.mustObject(), context.admission().admit(request));
    object = FieldOwners.afterAdmission(call, object, admitted);
    object = OwnerReferences.deduplicate(object, true, call.warnings());
    CreateHandler.matchNamespace(call, object);
    object = keepServerFields(call, object, old);
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
                strategy.validateUpdateOfValid(checked, old, found, call.warnings());
              } else {
                view.validate(strategy, checked, old, found, call.warnings());
              }
            });
    if (!errors.isEmpty()) {
      throw ApiException.invalid(ObjectMeta.kindIn(type, object), call.name(), errors);
    }
    object = FieldOwnership.withoutIdleTimes(old, CanonicalForm.of(type, object, live.canonical()));
    view.warnings(strategy, object, old).forEach(call.warnings());
    for (var companion : context.admission().validate(request.withObject(shown(call, object)))) {
      companions.add(creates.operation(companion));
    }
    return new Prepared(object, view.leavesValid(live), companions);
  }

  /** What is admitted: the object, or the part of it that is written. */
  private static JsonObject shown(Call call, JsonObject object) {
    return call.subresource().equals("scale") ? ScaleHandler.of(call.type(), object) : object;
  }

  /** The object after admission has looked at what it was shown of it. */
  private static JsonObject changed(
      Call call, JsonObject object, JsonObject shown, JsonObject admitted) {
    if (!call.subresource().equals("scale")) {
      return admitted;
    }
    return admitted == shown ? object : ScaleHandler.scaled(call.type(), object, admitted);
  }

  /** What only the server sets stays as it is. */
  private static JsonObject keepServerFields(Call call, JsonObject sent, JsonObject old) {
    var object = ObjectMeta.with(sent, "namespace", call.namespace());
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

  /** Whether this change takes away the last thing that held a deleted object back. */
  private static boolean removes(Call call, JsonObject object, JsonObject old) {
    return ObjectMeta.isDeleting(old)
        && !call.type().strategy().isHeld(object)
        && old.object("metadata").integer("deletionGracePeriodSeconds", 0) == 0;
  }

  private static boolean sameContent(JsonObject object, JsonObject old) {
    return ObjectMeta.keep(object, old, "resourceVersion").equals(old);
  }
}
