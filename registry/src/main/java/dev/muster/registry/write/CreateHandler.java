package dev.muster.registry.write;

import dev.muster.model.Timestamps;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.validation.FieldErrors;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.Companion;
import dev.muster.registry.commit.WriteStep;
import dev.muster.registry.options.ResourceVersions;
import dev.muster.registry.options.WriteOptions;
import dev.muster.registry.request.Call;
import dev.muster.registry.types.CanonicalForm;
import dev.muster.registry.types.ClusterView;
import dev.muster.registry.types.ObjectMeta;
import dev.muster.registry.types.ServedType;
import dev.muster.registry.types.SnapshotView;
import dev.muster.registry.types.Strategy;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.object.WrittenTree;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.store.Operation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Creates objects. Blocks; called on virtual threads. */
public final class CreateHandler {
  /** How often a generated name that is taken is replaced by another. */
  private static final int NAME_TRIES = 8;

  private final WriteContext context;

  public CreateHandler(WriteContext context) {
    this.context = context;
  }

  /**
   * @param object as the client sent it, in its stored version, with its defaults
   */
  public Outcome create(Call call, JsonObject object, WriteOptions options) {
    return context.carryOut(
        call.terms(ObjectMeta.name(object)),
        WriteSemantics.CREATE,
        kept ->
            (snapshot, warnings) ->
                attempt(call.withWarnings(warnings), object, options, kept, snapshot));
  }

  /** What comes of a new object in that snapshot. */
  WriteStep<Outcome> attempt(
      Call call,
      JsonObject sent,
      WriteOptions options,
      WriteSemantics semantics,
      Snapshot snapshot) {
    var version = ObjectMeta.resourceVersion(sent);
    if (!semantics.creates()) {
      ResourceVersions.parse(version);
    }
    var prepared = prepare(call, sent, options, semantics, snapshot);
    var object = prepared.object();
    if (!options.dryRun() && semantics.creates() && isVersion(version)) {
      throw ApiException.badRequest("resourceVersion should not be set on objects to be created");
    }
    var existing = find(call, ObjectMeta.name(object), snapshot);
    if (existing != null) {
      throw taken(call, object, existing);
    }
    if (options.dryRun()) {
      return new WriteStep.Answer<>(
          new Outcome.Shown(201, ObjectMeta.with(object, "resourceVersion", version)));
    }
    return new WriteStep.Write<>(
        prepared.operations(call.key(ObjectMeta.name(object)), context),
        revision -> answer(call, object, revision));
  }

  /** What has a status is about to get one: whoever writes it needs the tree. */
  private Outcome answer(Call call, JsonObject object, long revision) {
    if (!call.type().has("status")) {
      return context.stored(201, call, object, revision);
    }
    var versioned = ObjectMeta.with(object, "resourceVersion", Long.toString(revision));
    var tree = CanonicalForm.of(call.type(), versioned, object);
    return context.remembered(201, call, new WrittenTree(tree, false), revision);
  }

  private static @Nullable StoredObject find(Call call, String name, Snapshot snapshot) {
    return snapshot.collection(call.type().storage()).get(call.namespace(), name);
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
  private static ApiException taken(Call call, JsonObject object, StoredObject existing) {
    var exists = exists(call, object);
    return ObjectMeta.isDeleting(existing.tree())
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

  /** The namespace must still be what it was when the object was admitted, or still be missing. */
  private static Operation namespaceStays(String namespace, Snapshot snapshot) {
    var found = snapshot.collection("/namespaces").get("", namespace);
    return new Operation.Check(
        "/namespaces/" + namespace, found == null ? Operation.ABSENT : found.revision());
  }

  /** A name by chance that is not taken, or the last one that was tried. */
  private String freeName(Call call, Strategy strategy, JsonObject object, Snapshot snapshot) {
    var name = "";
    for (int i = 0; i < NAME_TRIES; i++) {
      name = strategy.generatedName(generateName(object), context.random());
      if (find(call, name, snapshot) == null) {
        break;
      }
    }
    return name;
  }

  /** An object that is ready to be committed, and what goes with it. */
  private record Prepared(ServedType type, JsonObject object, List<Operation> companions) {

    List<Operation> operations(String key, WriteContext context) {
      var operations = new ArrayList<Operation>();
      operations.add(
          new Operation.Put(
              key, context.encoded(type, object), Operation.ABSENT, type.timeToLive()));
      operations.addAll(companions);
      return operations;
    }
  }

  private Prepared prepare(
      Call call,
      JsonObject sent,
      WriteOptions options,
      WriteSemantics semantics,
      Snapshot snapshot) {
    var type = call.type();
    var strategy = type.strategy();
    var now = context.now();
    matchNamespace(call, sent);
    var object = withoutServerFields(sent, semantics);
    object = ObjectMeta.with(object, "namespace", call.namespace());
    object = OwnerReferences.deduplicate(object, semantics.patches(), call.warnings());
    var manager = call.manager(options.fieldManager());
    object = FieldOwners.afterWrite(call, semantics, null, object, manager, now);
    checkStays(call, object);
    var request = request(call, object, options, snapshot);
    var admitted = FieldOwners.afterAdmission(call, object, context.admission().admit(request));
    boolean altered = admitted.get("spec") != object.get("spec");
    object = OwnerReferences.deduplicate(admitted, true, call.warnings());
    matchNamespace(call, object);
    object = ObjectMeta.with(object, "namespace", call.namespace());
    if (ObjectMeta.name(object).isEmpty() && !generateName(object).isEmpty()) {
      object = ObjectMeta.with(object, "name", freeName(call, strategy, object, snapshot));
    }
    object = ObjectMeta.with(object, "uid", context.uids().get());
    object = ObjectMeta.with(object, "creationTimestamp", Timestamps.format(now));
    strategy.earlyWarnings(object).forEach(call.warnings());
    object = strategy.prepareForCreate(strategy.withRequester(object, call.user()));
    var companions = new ArrayList<Operation>();
    if (SubresourceView.of(call) == SubresourceView.WHOLE) {
      var grant = context.allocations().allocate(type, object, null, snapshot, options.dryRun());
      object = grant.object();
      companions.addAll(grant.operations());
    }
    validate(type, strategy, object, new SnapshotView(snapshot));
    var judged =
        CanonicalForm.withEmpties(type, altered ? strategy.defaults(object) : object, null);
    object = type.storedForm().withoutEmpties(judged);
    strategy.warnings(object, null).forEach(call.warnings());
    if (!semantics.creates()) {
      context.mayCreate().check(call);
    }
    for (var companion : context.admission().validate(request.withObject(judged))) {
      companions.add(operation(companion));
    }
    if (!call.namespace().isEmpty()) {
      companions.add(namespaceStays(call.namespace(), snapshot));
    }
    return new Prepared(type, object, companions);
  }

  /** Nothing new is made of a type that is about to go. */
  private static void checkStays(Call call, JsonObject object) {
    var definition = call.type().definition();
    if (definition != null && definition.isTerminating()) {
      throw ApiException.forbidden(
          call.type().groupResource(),
          ObjectMeta.name(object),
          "create not allowed while custom resource definition is terminating");
    }
  }

  Operation operation(Companion companion) {
    return new OwnStatus(companion.resource(), companion.old(), companion.object()).put(context);
  }

  private static AdmissionRequest request(
      Call call, JsonObject object, WriteOptions options, Snapshot snapshot) {
    return call.admission(
        AdmissionOperation.CREATE,
        ObjectMeta.name(object),
        object,
        null,
        options.dryRun(),
        options.asObject(WriteSemantics.Verb.CREATE.optionsKind()),
        new SnapshotView(snapshot));
  }

  private static String generateName(JsonObject object) {
    return ObjectMeta.text(object, "generateName");
  }

  /** An object that an update or an apply creates keeps what it says about its deletion. */
  private static JsonObject withoutServerFields(JsonObject object, WriteSemantics semantics) {
    return !semantics.creates()
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

  public static void matchNamespace(Call call, JsonObject object) {
    var given = ObjectMeta.namespace(object);
    if (call.type().namespaced() && !given.isEmpty() && !given.equals(call.namespace())) {
      throw ApiException.badRequest(
          "the namespace of the provided object does not match the namespace sent on the request");
    }
  }

  private static void validate(
      ServedType type, Strategy strategy, JsonObject object, ClusterView cluster) {
    var errors =
        FieldErrors.of(
            found -> {
              strategy.validateAmong(object, null, cluster, found);
              strategy.validateCreate(object, found);
            });
    if (!errors.isEmpty()) {
      throw ApiException.invalid(ObjectMeta.kindIn(type, object), ObjectMeta.name(object), errors);
    }
  }
}
