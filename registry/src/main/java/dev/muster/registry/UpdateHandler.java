package dev.muster.registry;

import dev.muster.change.FieldOwnership;
import dev.muster.model.ApiException;
import dev.muster.model.FieldError;
import dev.muster.model.FieldErrors;
import dev.muster.model.FieldPath;
import dev.muster.model.GroupKind;
import dev.muster.model.Json;
import dev.muster.model.JsonObject;
import dev.muster.model.ObjectName;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.Operation;
import dev.muster.registry.admission.SnapshotView;
import dev.muster.registry.rules.NotInForce;
import dev.muster.replica.Snapshot;
import dev.muster.replica.StoredObject;
import dev.muster.replica.WrittenTree;
import dev.muster.store.CommitResult;
import dev.muster.store.Transaction;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes objects: PUT, every kind of patch, and the subresources that change their parent. Reads,
 * changes, checks and commits under the revision it read; when somebody else was faster it starts
 * again, unless the client insisted on a version. Blocks; called on virtual threads.
 */
public final class UpdateHandler {
  private static final int TRIES = 30;
  static final String MODIFIED =
      "the object has been modified; please apply your changes to the latest version and try again";

  private final Surroundings around;
  private final CreateHandler creates;

  public UpdateHandler(Surroundings around, CreateHandler creates) {
    this.around = around;
    this.creates = creates;
  }

  /** Makes the new object out of the stored one, both in their stored version. */
  @FunctionalInterface
  interface Change {
    /**
     * @param live null when the object does not exist, which only changes that can create answer
     */
    JsonObject of(@Nullable Live live);
  }

  /**
   * How a change is carried out.
   *
   * @param optionsKind UpdateOptions or PatchOptions
   * @param creates whether a missing object is created
   * @param ownsFields whether the field manager's ownership is still to be tracked
   */
  public record Manner(String optionsKind, boolean creates, boolean ownsFields) {
    /** Whether the object is replaced as a whole, and not patched. */
    boolean replaces() {
      return optionsKind.equals("UpdateOptions");
    }

    boolean patches() {
      return optionsKind.equals("PatchOptions");
    }
  }

  public Outcome update(Call call, Change change, WriteOptions options, Manner manner) {
    call.checkName();
    var snapshot = around.commits().current();
    for (int i = 0; i < TRIES; i++) {
      var existing = find(call, snapshot);
      if (existing == null) {
        snapshot = around.commits().fresh();
        existing = find(call, snapshot);
      }
      if (existing == null) {
        return createInstead(call, change, options, manner);
      }
      var attempt = attempt(call, change, options, manner, snapshot, existing);
      switch (attempt) {
        case Attempt.Answered answered -> {
          return answered.outcome();
        }
        case Attempt.Lost lost -> snapshot = around.commits().shown(lost.revision());
      }
    }
    throw Contention.of(call, call.name());
  }

  private sealed interface Attempt {
    record Answered(Outcome outcome) implements Attempt {}

    record Lost(long revision) implements Attempt {}
  }

  private static @Nullable StoredObject find(Call call, Snapshot snapshot) {
    return snapshot.collection(call.type().storage()).get(call.namespace(), call.name());
  }

  private Outcome createInstead(Call call, Change change, WriteOptions options, Manner manner) {
    if (!manner.creates()) {
      if (manner.patches()) {
        change.of(null); // what is wrong with the patch itself comes first
      }
      throw ApiException.notFound(call.type().groupResource(), call.name());
    }
    var object = change.of(null);
    if (manner.replaces() && !ObjectMeta.uid(object).isEmpty()) {
      throw uidMismatch(call, ObjectMeta.uid(object), "", options.dryRun());
    }
    return creates.create(call, object, options, manner);
  }

  private Attempt attempt(
      Call call,
      Change change,
      WriteOptions options,
      Manner manner,
      Snapshot snapshot,
      StoredObject existing) {
    var live = Live.of(existing);
    var old = live.tree();
    var sent = Kept.from(old, SentEmpty.ofUpdate(call.type(), change.of(live), old));
    if (manner.replaces()) {
      checkUid(call, sent, old, options.dryRun());
    }
    boolean insists = checkVersion(call, sent, existing);
    if (insists && ResourceVersions.parse(ObjectMeta.resourceVersion(sent)) > existing.revision()) {
      return new Attempt.Lost(laterRevision(call, existing));
    }
    var prepared = prepare(call, sent, live, options, manner, snapshot);
    var object = prepared.object();
    boolean removes = removes(call, object, old);
    if (!removes && sameContent(object, old)) {
      return unchanged(existing, call);
    }
    if (options.dryRun()) {
      return new Attempt.Answered(
          new Outcome.Shown(200, ObjectMeta.keep(object, old, "resourceVersion")));
    }
    var operations = new ArrayList<>(prepared.companions());
    var key = call.key(call.name());
    if (removes) {
      operations.addAll(around.allocations().release(call.type(), old, snapshot));
      operations.add(new dev.muster.store.Operation.Delete(key, existing.revision()));
    } else {
      operations.add(
          new dev.muster.store.Operation.Put(
              key,
              around.codec().encode(object),
              existing.revision(),
              call.type().storage().equals("/events") ? around.eventTimeToLive() : null));
    }
    return switch (around.commits().commit(new Transaction(operations))) {
      case CommitResult.Committed done -> {
        if (removes) {
          around.commits().shown(done.revision());
          yield new Attempt.Answered(
              new Outcome.Shown(
                  200, ObjectMeta.with(object, "resourceVersion", Long.toString(done.revision()))));
        }
        var name = new ObjectName(call.namespace(), call.name());
        var tree = new WrittenTree(object, prepared.isValid());
        yield new Attempt.Answered(
            new Outcome.Stored(
                200, around.commits().written(call.type().storage(), name, done.revision(), tree)));
      }
      case CommitResult.Conflict conflict -> {
        boolean moved = conflict.found().stream().anyMatch(found -> found.key().equals(key));
        if (moved && insists) {
          throw ApiException.conflict(call.type().groupResource(), call.name(), MODIFIED);
        }
        yield new Attempt.Lost(conflict.revision());
      }
      case CommitResult.Unknown unknown -> throw unknown.cause();
    };
  }

  /** Nothing to write: sure only when the stored object is still the one we looked at. */
  private Attempt unchanged(StoredObject existing, Call call) {
    var fresh = around.commits().fresh();
    var now = find(call, fresh);
    return now != null && now.revision() == existing.revision()
        ? new Attempt.Answered(new Outcome.Stored(200, existing))
        : new Attempt.Lost(fresh.revision());
  }

  /** A version from the future: this replica is behind, or the version is made up. */
  private long laterRevision(Call call, StoredObject existing) {
    var fresh = around.commits().fresh();
    var now = find(call, fresh);
    if (now != null && now.revision() == existing.revision()) {
      throw ApiException.conflict(call.type().groupResource(), call.name(), MODIFIED);
    }
    return fresh.revision();
  }

  /** Whether the client insists on the version it saw; fails when that is not the current one. */
  private static boolean checkVersion(Call call, JsonObject sent, StoredObject existing) {
    var version = ObjectMeta.resourceVersion(sent);
    if (version.isEmpty() || version.equals("0")) {
      if (!Strategies.of(call.type()).allowsUnconditionalUpdate()) {
        var error =
            FieldError.invalid(
                FieldPath.of("metadata", "resourceVersion"),
                Json.of(0),
                "must be specified for an update");
        var resource = call.type().groupResource();
        throw ApiException.invalid(
            new GroupKind(resource.group(), resource.resource()), call.name(), List.of(error));
      }
      return false;
    }
    if (ResourceVersions.parse(version) < existing.revision()) {
      throw ApiException.conflict(call.type().groupResource(), call.name(), MODIFIED);
    }
    return true;
  }

  private void checkUid(Call call, JsonObject sent, JsonObject old, boolean dryRun) {
    var uid = ObjectMeta.uid(sent);
    if (!uid.isEmpty() && !uid.equals(ObjectMeta.uid(old))) {
      throw uidMismatch(call, uid, ObjectMeta.uid(old), dryRun);
    }
  }

  /** A dry run does not get as far as the storage, which names its keys with a prefix. */
  private ApiException uidMismatch(Call call, String wanted, String actual, boolean dryRun) {
    var prefix = dryRun ? "" : around.publicPrefix();
    return ApiException.conflict(
        call.type().groupResource(),
        call.name(),
        StorageErrors.precondition(prefix + call.key(call.name()), "UID", wanted, actual));
  }

  private record Prepared(
      JsonObject object, boolean isValid, List<dev.muster.store.Operation> companions) {}

  private Prepared prepare(
      Call call,
      JsonObject sent,
      Live live,
      WriteOptions options,
      Manner manner,
      Snapshot snapshot) {
    var type = call.type();
    var old = live.tree();
    var strategy = Strategies.of(type);
    var view = SubresourceView.of(call);
    var object = OwnerReferences.deduplicate(sent, manner.patches(), call.warnings());
    if (manner.ownsFields()) {
      object =
          FieldOwners.afterWrite(
              call, old, object, call.manager(options.fieldManager()), around.now());
    }
    CreateHandler.matchNamespace(call, object);
    var request =
        new AdmissionRequest(
            Operation.UPDATE,
            type,
            call.subresource(),
            call.namespace(),
            call.name(),
            object,
            old,
            call.user(),
            options.dryRun(),
            options.asObject(manner.optionsKind()),
            new SnapshotView(snapshot),
            call.warnings());
    object = around.admission().admit(request);
    object = keepServerFields(call, object, old);
    object = view.prepare(strategy, object, old);
    var companions = new ArrayList<dev.muster.store.Operation>();
    if (view == SubresourceView.WHOLE) {
      var grant = around.allocations().allocate(type, object, old, snapshot, options.dryRun());
      object = grant.object();
      companions.addAll(grant.operations());
    }
    var checked = object;
    var errors =
        FieldErrors.of(
            found -> {
              strategy.validateAmong(checked, old, new SnapshotView(snapshot), found);
              if (live.isValid() && view == SubresourceView.WHOLE) {
                strategy.validateUpdateOfValid(checked, old, found);
              } else {
                view.validate(strategy, checked, old, found);
              }
            });
    if (!errors.isEmpty()) {
      throw ApiException.invalid(type.stored().groupKind(), call.name(), errors);
    }
    object = FieldOwnership.withoutIdleTimes(old, Normal.of(type, object, live.normal()));
    view.warnings(strategy, object, old).forEach(call.warnings());
    NotInForce.warnings(type.stored().groupKind(), object, old).forEach(call.warnings());
    for (var companion : around.admission().validate(request.withObject(object))) {
      companions.add(creates.operation(companion));
    }
    return new Prepared(object, view.leavesValid(live), companions);
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
        && !Strategies.of(call.type()).isHeld(object)
        && old.object("metadata").integer("deletionGracePeriodSeconds", 0) == 0;
  }

  private static boolean sameContent(JsonObject object, JsonObject old) {
    return ObjectMeta.keep(object, old, "resourceVersion").equals(old);
  }
}
