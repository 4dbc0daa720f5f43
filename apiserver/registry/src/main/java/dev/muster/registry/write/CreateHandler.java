package dev.muster.registry.write;

import dev.muster.model.Timestamps;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.validation.FieldErrors;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.RelatedStatusUpdate;
import dev.muster.registry.commit.AttemptResult;
import dev.muster.registry.request.ResourceRequest;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.object.WrittenTree;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.store.Operation;
import dev.muster.types.CanonicalForm;
import dev.muster.types.ClusterView;
import dev.muster.types.ObjectMeta;
import dev.muster.types.ServedType;
import dev.muster.types.SnapshotView;
import dev.muster.types.Strategy;
import dev.muster.types.options.ResourceVersions;
import dev.muster.types.options.WriteOptions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Creates objects. Its methods block and run on virtual threads. */
public final class CreateHandler {
  /** How many generated names are tried when a name is taken. */
  private static final int NAME_TRIES = 8;

  private final WriteContext context;

  public CreateHandler(WriteContext context) {
    this.context = context;
  }

  /**
   * @param object the object in the request body, in its stored version, with defaults
   */
  public WriteResult create(
      ResourceRequest resourceRequest, JsonObject object, WriteOptions options) {
    return context.carryOut(
        resourceRequest.terms(ObjectMeta.name(object)),
        WriteSemantics.CREATE,
        kept ->
            (snapshot, warnings) ->
                attempt(resourceRequest.withWarnings(warnings), object, options, kept, snapshot));
  }

  /** One attempt at a create. */
  AttemptResult<WriteResult> attempt(
      ResourceRequest resourceRequest,
      JsonObject sent,
      WriteOptions options,
      WriteSemantics semantics,
      Snapshot snapshot) {
    var version = ObjectMeta.resourceVersion(sent);
    if (!semantics.creates()) {
      ResourceVersions.parse(version);
    }
    var prepared = prepare(resourceRequest, sent, options, semantics, snapshot);
    var object = prepared.object();
    if (!options.dryRun() && semantics.creates() && isVersion(version)) {
      throw ApiException.badRequest("resourceVersion should not be set on objects to be created");
    }
    var existing = find(resourceRequest, ObjectMeta.name(object), snapshot);
    if (existing != null) {
      throw taken(resourceRequest, object, existing);
    }
    if (options.dryRun()) {
      return new AttemptResult.Answer<>(
          new WriteResult.Shown(201, ObjectMeta.with(object, "resourceVersion", version)));
    }
    return new AttemptResult.Write<>(
        prepared.operations(resourceRequest.key(ObjectMeta.name(object)), context),
        revision -> answer(resourceRequest, object, revision));
  }

  /** A controller usually writes the status of a new object soon, so its tree is cached. */
  private WriteResult answer(ResourceRequest resourceRequest, JsonObject object, long revision) {
    if (!resourceRequest.type().has("status")) {
      return context.stored(201, resourceRequest, object, revision);
    }
    var versioned = ObjectMeta.with(object, "resourceVersion", Long.toString(revision));
    var tree = CanonicalForm.of(resourceRequest.type(), versioned, object);
    return context.remembered(201, resourceRequest, new WrittenTree(tree, false), revision);
  }

  private static @Nullable StoredObject find(
      ResourceRequest resourceRequest, String name, Snapshot snapshot) {
    return snapshot
        .collection(resourceRequest.type().storage())
        .get(resourceRequest.namespace(), name);
  }

  /** Whether a text is a resourceVersion; upstream's storage ignores other texts. */
  private static boolean isVersion(String text) {
    try {
      return !text.isEmpty() && text.charAt(0) != '+' && Long.parseUnsignedLong(text) != 0;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  /** The error for a name that is taken, which also says whether that object is being deleted. */
  private static ApiException taken(
      ResourceRequest resourceRequest, JsonObject object, StoredObject existing) {
    var exists = exists(resourceRequest, object);
    return ObjectMeta.isDeleting(existing.tree())
        ? new ApiException(
            exists.reason(), "object is being deleted: " + exists.text(), exists.details())
        : exists;
  }

  /**
   * With {@code generateName}, the error tells clients to retry, even if the client also sent the
   * name.
   */
  private static ApiException exists(ResourceRequest resourceRequest, JsonObject object) {
    var resource = resourceRequest.type().groupResource();
    var exists = ApiException.alreadyExists(resource, ObjectMeta.name(object));
    return generateName(object).isEmpty()
        ? exists
        : new ApiException(
            exists.reason(),
            exists.text() + ", the server was not able to generate a unique name for the object",
            exists.details().withRetryAfter(1));
  }

  /** Guards that the namespace has not changed since admission, or is still missing. */
  private static Operation namespaceStays(String namespace, Snapshot snapshot) {
    var found = snapshot.collection("/namespaces").get("", namespace);
    return new Operation.Check(
        "/namespaces/" + namespace, found == null ? Operation.ABSENT : found.revision());
  }

  /** A generated name that is free, or the last one that was tried. */
  private String freeName(
      ResourceRequest resourceRequest, Strategy strategy, JsonObject object, Snapshot snapshot) {
    var name = "";
    for (int i = 0; i < NAME_TRIES; i++) {
      name = strategy.generatedName(generateName(object), context.random());
      if (find(resourceRequest, name, snapshot) == null) {
        break;
      }
    }
    return name;
  }

  /** An object that is ready to commit, with its companion operations. */
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
      ResourceRequest resourceRequest,
      JsonObject sent,
      WriteOptions options,
      WriteSemantics semantics,
      Snapshot snapshot) {
    var type = resourceRequest.type();
    var strategy = type.strategy();
    var now = context.now();
    matchNamespace(resourceRequest, sent);
    var object = withoutServerFields(sent, semantics);
    object = ObjectMeta.with(object, "namespace", resourceRequest.namespace());
    object = OwnerReferences.deduplicate(object, semantics.patches(), resourceRequest.warnings());
    var manager = resourceRequest.manager(options.fieldManager());
    object = FieldOwners.afterWrite(resourceRequest, semantics, null, object, manager, now);
    checkStays(resourceRequest, object);
    var request = request(resourceRequest, object, options, snapshot);
    var admitted =
        FieldOwners.afterAdmission(resourceRequest, object, context.admission().admit(request));
    boolean altered = admitted.get("spec") != object.get("spec");
    object = OwnerReferences.deduplicate(admitted, true, resourceRequest.warnings());
    matchNamespace(resourceRequest, object);
    object = ObjectMeta.with(object, "namespace", resourceRequest.namespace());
    if (ObjectMeta.name(object).isEmpty() && !generateName(object).isEmpty()) {
      object =
          ObjectMeta.with(object, "name", freeName(resourceRequest, strategy, object, snapshot));
    }
    object = ObjectMeta.with(object, "uid", context.uids().get());
    object = ObjectMeta.with(object, "creationTimestamp", Timestamps.format(now));
    strategy.earlyWarnings(object).forEach(resourceRequest.warnings());
    object = strategy.prepareForCreate(strategy.withRequester(object, resourceRequest.user()));
    var companions = new ArrayList<Operation>();
    if (SubresourceView.of(resourceRequest) == SubresourceView.WHOLE) {
      var grant = context.allocations().allocate(type, object, null, snapshot, options.dryRun());
      object = grant.object();
      companions.addAll(grant.operations());
    }
    validate(type, strategy, object, new SnapshotView(snapshot));
    var judged =
        CanonicalForm.withEmpties(type, altered ? strategy.defaults(object) : object, null);
    object = type.storedForm().withoutEmpties(judged);
    strategy.warnings(object, null).forEach(resourceRequest.warnings());
    if (!semantics.creates()) {
      context.mayCreate().check(resourceRequest);
    }
    for (var relatedStatusUpdate : context.admission().validate(request.withObject(judged))) {
      companions.add(operation(relatedStatusUpdate));
    }
    if (!resourceRequest.namespace().isEmpty()) {
      companions.add(namespaceStays(resourceRequest.namespace(), snapshot));
    }
    return new Prepared(type, object, companions);
  }

  /** Refuses custom objects while their definition is terminating. */
  private static void checkStays(ResourceRequest resourceRequest, JsonObject object) {
    var definition = resourceRequest.type().definition();
    if (definition != null && definition.isTerminating()) {
      throw ApiException.forbidden(
          resourceRequest.type().groupResource(),
          ObjectMeta.name(object),
          "create not allowed while custom resource definition is terminating");
    }
  }

  Operation operation(RelatedStatusUpdate relatedStatusUpdate) {
    return new ServerStatusUpdate(
            relatedStatusUpdate.resource(), relatedStatusUpdate.old(), relatedStatusUpdate.object())
        .put(context);
  }

  private static AdmissionRequest request(
      ResourceRequest resourceRequest, JsonObject object, WriteOptions options, Snapshot snapshot) {
    return resourceRequest.admission(
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

  /** An object that an update or an apply creates keeps its deletionTimestamp. */
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

  public static void matchNamespace(ResourceRequest resourceRequest, JsonObject object) {
    var given = ObjectMeta.namespace(object);
    if (resourceRequest.type().namespaced()
        && !given.isEmpty()
        && !given.equals(resourceRequest.namespace())) {
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
