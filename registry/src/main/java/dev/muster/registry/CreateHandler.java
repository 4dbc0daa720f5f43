package dev.muster.registry;

import dev.muster.model.ApiException;
import dev.muster.model.FieldErrors;
import dev.muster.model.JsonObject;
import dev.muster.model.ObjectName;
import dev.muster.model.Timestamps;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.ClusterView;
import dev.muster.registry.admission.Companion;
import dev.muster.registry.admission.SnapshotView;
import dev.muster.registry.rules.NotInForce;
import dev.muster.replica.Snapshot;
import dev.muster.schema.ResourceType;
import dev.muster.store.CommitResult;
import dev.muster.store.Operation;
import dev.muster.store.Transaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Creates objects. Blocks; called on virtual threads. */
public final class CreateHandler {
  /** How often a generated name that is taken is replaced by another. */
  private static final int NAME_TRIES = 8;

  private static final int TRIES = 20;
  private static final String CREATE_OPTIONS = "CreateOptions";

  private final Surroundings around;

  public CreateHandler(Surroundings around) {
    this.around = around;
  }

  /**
   * @param object as the client sent it, in its stored version, with its defaults
   */
  public Outcome create(Call call, JsonObject object, WriteOptions options) {
    return create(call, object, options, new UpdateHandler.Manner(CREATE_OPTIONS, true, true));
  }

  Outcome create(Call call, JsonObject object, WriteOptions options, UpdateHandler.Manner manner) {
    boolean plain = manner.optionsKind().equals(CREATE_OPTIONS);
    var version = ObjectMeta.resourceVersion(object);
    if (!plain) {
      ResourceVersions.parse(version);
    }
    var snapshot = seesNamespace(call);
    int nameTries = 0;
    for (int i = 0; i < TRIES; i++) {
      var prepared = prepare(call, object, options, manner, snapshot);
      var name = new ObjectName(call.namespace(), ObjectMeta.name(prepared.object()));
      if (options.dryRun()) {
        return shown(call, ObjectMeta.with(prepared.object(), "resourceVersion", version), name);
      }
      if (plain && isVersion(version)) {
        throw ApiException.badRequest("resourceVersion should not be set on objects to be created");
      }
      var key = call.key(name.name());
      switch (around.commits().commit(prepared.transaction(key, around))) {
        case CommitResult.Committed done -> {
          return new Outcome.Stored(
              201, around.commits().written(call.type().storage(), name, done.revision()));
        }
        case CommitResult.Conflict conflict -> {
          boolean taken = conflict.found().stream().anyMatch(found -> found.key().equals(key));
          if (taken && !(prepared.generated() && ++nameTries < NAME_TRIES)) {
            throw taken(call, prepared.object(), around.commits().shown(conflict.revision()));
          }
          snapshot = around.commits().shown(conflict.revision());
        }
        case CommitResult.Unknown unknown -> throw unknown.cause();
      }
    }
    throw Contention.of(call, ObjectMeta.name(object));
  }

  /** Whether a text is the version of some object; others mean nothing to the storage. */
  private static boolean isVersion(String text) {
    try {
      return !text.isEmpty() && text.charAt(0) != '+' && Long.parseUnsignedLong(text) != 0;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  /** The name is taken, perhaps only until a deletion is over. */
  private static ApiException taken(Call call, JsonObject object, Snapshot snapshot) {
    var name = new ObjectName(call.namespace(), ObjectMeta.name(object));
    var exists = exists(call, object);
    var existing = snapshot.collection(call.type().storage()).get(name.namespace(), name.name());
    return existing != null && ObjectMeta.isDeleting(existing.tree())
        ? new ApiException(
            exists.reason(), "object is being deleted: " + exists.text(), exists.details())
        : exists;
  }

  /** Whoever lets the server choose a name may try again, even when the name was not chosen. */
  private static ApiException exists(Call call, JsonObject object) {
    var resource = call.type().groupResource();
    var exists = ApiException.alreadyExists(resource, ObjectMeta.name(object));
    return generateName(object).isEmpty()
        ? exists
        : new ApiException(
            exists.reason(),
            exists.text() + ", the server was not able to generate a unique name for the object",
            exists.details().withRetryAfter(1));
  }

  /** A snapshot new enough to know the namespace if it exists. */
  private Snapshot seesNamespace(Call call) {
    var current = around.commits().current();
    return call.namespace().isEmpty() || namespaceRevision(current, call.namespace()) > 0
        ? current
        : around.commits().fresh();
  }

  private static long namespaceRevision(Snapshot snapshot, String namespace) {
    var found = snapshot.collection("/namespaces").get("", namespace);
    return found == null ? 0 : found.revision();
  }

  private Outcome shown(Call call, JsonObject object, ObjectName name) {
    var snapshot = around.commits().fresh();
    var existing = snapshot.collection(call.type().storage()).get(name.namespace(), name.name());
    if (existing != null) {
      throw taken(call, object, snapshot);
    }
    return new Outcome.Shown(201, object);
  }

  /** An object that is ready to be committed, and what goes with it. */
  private record Prepared(
      JsonObject object,
      boolean generated,
      List<Operation> companions,
      @Nullable Duration timeToLive) {

    Transaction transaction(String key, Surroundings around) {
      var operations = new ArrayList<Operation>();
      operations.add(
          new Operation.Put(key, around.codec().encode(object), Operation.ABSENT, timeToLive));
      operations.addAll(companions);
      return new Transaction(operations);
    }
  }

  private Prepared prepare(
      Call call,
      JsonObject sent,
      WriteOptions options,
      UpdateHandler.Manner manner,
      Snapshot snapshot) {
    var type = call.type();
    var strategy = Strategies.of(type);
    var now = around.now();
    matchNamespace(call, sent);
    var object = SentEmpty.ofCreate(type, withoutServerFields(sent, manner));
    object = ObjectMeta.with(object, "namespace", call.namespace());
    object = OwnerReferences.deduplicate(object, manner.patches(), call.warnings());
    if (manner.ownsFields()) {
      object =
          FieldOwners.afterWrite(call, null, object, call.manager(options.fieldManager()), now);
    }
    var request = request(call, object, options, snapshot);
    var admitted = around.admission().admit(request);
    boolean altered = admitted.get("spec") != object.get("spec");
    object = admitted;
    matchNamespace(call, object);
    object = ObjectMeta.with(object, "namespace", call.namespace());
    boolean generated = ObjectMeta.name(object).isEmpty() && !generateName(object).isEmpty();
    if (generated) {
      object =
          ObjectMeta.with(
              object, "name", strategy.generatedName(generateName(object), around.random()));
    }
    object = ObjectMeta.with(object, "uid", around.uids().get());
    object = ObjectMeta.with(object, "creationTimestamp", Timestamps.format(now));
    strategy.earlyWarnings(object).forEach(call.warnings());
    object = strategy.prepareForCreate(strategy.withRequester(object, call.user()));
    var companions = new ArrayList<Operation>();
    if (SubresourceView.of(call) == SubresourceView.WHOLE) {
      var grant = around.allocations().allocate(type, object, null, snapshot, options.dryRun());
      object = grant.object();
      companions.addAll(grant.operations());
    }
    validate(type, strategy, object, new SnapshotView(snapshot));
    var full = object;
    object = Normal.of(type, altered ? strategy.defaults(object) : object);
    strategy.warnings(object, null).forEach(call.warnings());
    NotInForce.warnings(type.stored().groupKind(), object, null).forEach(call.warnings());
    if (!manner.optionsKind().equals(CREATE_OPTIONS)) {
      around.mayCreate().check(call);
    }
    var seen = SentEmpty.keptFields(type.stored(), full, object);
    for (var companion : around.admission().validate(request.withObject(seen))) {
      companions.add(operation(companion));
    }
    long namespaceRevision = namespaceRevision(snapshot, call.namespace());
    if (namespaceRevision > 0) {
      companions.add(new Operation.Check("/namespaces/" + call.namespace(), namespaceRevision));
    }
    return new Prepared(
        object,
        generated,
        companions,
        type.storage().equals("/events") ? around.eventTimeToLive() : null);
  }

  Operation operation(Companion companion) {
    return new OwnStatus(companion.resource(), companion.old(), companion.object()).put(around);
  }

  private static AdmissionRequest request(
      Call call, JsonObject object, WriteOptions options, Snapshot snapshot) {
    return new AdmissionRequest(
        dev.muster.registry.admission.Operation.CREATE,
        call.type(),
        call.subresource(),
        call.namespace(),
        ObjectMeta.name(object),
        object,
        null,
        call.user(),
        options.dryRun(),
        options.asObject(CREATE_OPTIONS),
        new SnapshotView(snapshot),
        call.warnings());
  }

  private static String generateName(JsonObject object) {
    return ObjectMeta.text(object, "generateName");
  }

  /** An object that an update or an apply creates keeps what it says about its deletion. */
  private static JsonObject withoutServerFields(JsonObject object, UpdateHandler.Manner manner) {
    return manner.replaces() || manner.patches()
        ? ObjectMeta.change(
            object, metadata -> metadata.without("selfLink").without("resourceVersion"))
        : withoutServerFields(object);
  }

  static JsonObject withoutServerFields(JsonObject object) {
    return ObjectMeta.change(
        object,
        metadata ->
            metadata
                .without("selfLink")
                .without("resourceVersion")
                .without("deletionTimestamp")
                .without("deletionGracePeriodSeconds"));
  }

  static void matchNamespace(Call call, JsonObject object) {
    var given = ObjectMeta.namespace(object);
    if (call.type().namespaced() && !given.isEmpty() && !given.equals(call.namespace())) {
      throw ApiException.badRequest(
          "the namespace of the provided object does not match the namespace sent on the request");
    }
  }

  private static void validate(
      ResourceType type, Strategy strategy, JsonObject object, ClusterView cluster) {
    var errors =
        FieldErrors.of(
            found -> {
              strategy.validateAmong(object, null, cluster, found);
              strategy.validateCreate(object, found);
            });
    if (!errors.isEmpty()) {
      throw ApiException.invalid(type.stored().groupKind(), ObjectMeta.name(object), errors);
    }
  }
}
