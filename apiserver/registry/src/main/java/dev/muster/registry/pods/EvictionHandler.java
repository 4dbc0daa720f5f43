package dev.muster.registry.pods;

import dev.muster.model.GroupVersionKind;
import dev.muster.model.GroupVersionResource;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.model.status.StatusDetails;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.body.RequestDecoder;
import dev.muster.registry.commit.AttemptResult;
import dev.muster.registry.request.Preconditions;
import dev.muster.registry.request.ResourceRequest;
import dev.muster.registry.write.CreateHandler;
import dev.muster.registry.write.ServerStatusUpdate;
import dev.muster.registry.write.WriteContext;
import dev.muster.registry.write.WriteResult;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.schema.Schemas;
import dev.muster.schema.StructShape;
import dev.muster.schema.read.ObjectForm;
import dev.muster.store.Operation;
import dev.muster.store.Transaction;
import dev.muster.types.CanonicalForm;
import dev.muster.types.Deletion;
import dev.muster.types.ObjectMeta;
import dev.muster.types.SnapshotView;
import dev.muster.types.options.DeleteOptions;
import dev.muster.types.options.WriteOptions;
import dev.muster.validation.pods.PodConditions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Evicts pods: deletes them unless that would violate a PodDisruptionBudget. One transaction both
 * charges the budget and marks or removes the pod. Its methods block and run on virtual threads.
 */
public final class EvictionHandler {
  public static final GroupVersionKind EVICTION = new GroupVersionKind("policy", "v1", "Eviction");
  private static final Set<GroupVersionKind> ALIKE =
      Set.of(new GroupVersionKind("policy", "v1beta1", "Eviction"));
  private static final StructShape SHAPE = Schemas.struct("io.k8s.api.policy.v1.Eviction");
  private static final ObjectForm FORM = ObjectForm.of(SHAPE);
  private static final String BUDGETS = "/poddisruptionbudgets";

  private static final GroupVersionResource BUDGET =
      new GroupVersionResource("policy", "v1", "poddisruptionbudgets");

  private static final JsonObject EVICTED =
      JsonObject.of(
          "type",
          "DisruptionTarget",
          "status",
          "True",
          "reason",
          "EvictionByEvictionAPI",
          "message",
          "Eviction API: evicting");

  private final WriteContext context;
  private final RequestDecoder requestDecoder;

  public EvictionHandler(WriteContext context, RequestDecoder requestDecoder) {
    this.context = context;
    this.requestDecoder = requestDecoder;
  }

  public WriteResult evict(
      ResourceRequest resourceRequest, RequestDecoder.Encoded body, WriteOptions options) {
    var sent =
        requestDecoder.read(
            EVICTION, ALIKE, FORM, body, options.fieldValidation(), resourceRequest.warnings());
    CreateHandler.matchNamespace(resourceRequest, sent);
    var eviction = ObjectMeta.with(sent, "namespace", resourceRequest.namespace());
    // No guard covers a budget that this replica does not know yet, so the snapshot must be fresh.
    long latest = context.commits().fresh(resourceRequest.deadline()).revision();
    return context
        .attempts()
        .carryOut(
            resourceRequest.terms(resourceRequest.name()).since(latest),
            (snapshot, warnings) -> {
              var attempt = resourceRequest.withWarnings(warnings);
              return attempt(attempt, admitted(attempt, eviction, options, snapshot), snapshot);
            });
  }

  /** The delete options of the eviction after admission. */
  private DeleteOptions admitted(
      ResourceRequest resourceRequest,
      JsonObject eviction,
      WriteOptions options,
      Snapshot snapshot) {
    var request =
        resourceRequest.admission(
            AdmissionOperation.CREATE,
            resourceRequest.name(),
            eviction,
            null,
            options.dryRun(),
            options.asObject("CreateOptions"),
            new SnapshotView(snapshot));
    var admitted = context.admission().admit(request);
    if (!resourceRequest.name().equals(ObjectMeta.name(admitted))) {
      throw ApiException.badRequest("name in URL does not match name in Eviction object");
    }
    var wanted = admitted.object("deleteOptions");
    if (wanted.get("ignoreStoreReadErrorWithClusterBreakingPotential") == JsonBool.TRUE) {
      throw ApiException.invalid(
          EVICTION.groupKind(),
          resourceRequest.name(),
          List.of(
              FieldError.invalid(
                  FieldPath.of("deleteOptions", "ignoreStoreReadErrorWithClusterBreakingPotential"),
                  JsonBool.TRUE,
                  "can not be set for pod eviction, try after removing the option")));
    }
    if (options.dryRun()) {
      wanted = inDryRun(wanted);
    }
    context.admission().validate(request.withObject(admitted));
    return DeleteOptions.unchecked(wanted);
  }

  /** Refuses different dry-run options in the query and in the eviction. */
  private static JsonObject inDryRun(JsonObject wanted) {
    var given = wanted.array("dryRun");
    var all = JsonArray.of(Json.of("All"));
    if (!given.isEmpty() && !given.equals(all)) {
      throw ApiException.badRequest(
          "Non-matching dry-run options in request and content: [All] and ["
              + String.join(" ", given.strings())
              + "]");
    }
    return wanted.with("dryRun", all);
  }

  private AttemptResult<WriteResult> attempt(
      ResourceRequest resourceRequest, DeleteOptions options, Snapshot snapshot) {
    var existing =
        snapshot
            .collection(resourceRequest.type().storage())
            .get(resourceRequest.namespace(), resourceRequest.name());
    if (existing == null) {
      throw ApiException.notFound(resourceRequest.type().groupResource(), resourceRequest.name());
    }
    var pod = existing.tree();
    var operations = new ArrayList<Operation>();
    var indifferent = isUnguarded(pod) ? null : charge(resourceRequest, pod, snapshot, operations);
    if (!options.dryRun()) {
      check(resourceRequest, options, pod, indifferent);
    }
    options.check();
    check(resourceRequest, options, pod, indifferent);
    if (options.dryRun()) {
      return new AttemptResult.Answer<>(done());
    }
    operations.add(deletion(resourceRequest, options, existing));
    return new AttemptResult.Write<>(
        new Transaction(operations, true),
        revision -> {
          context.commits().shown(revision, resourceRequest.deadline());
          return done();
        });
  }

  /**
   * Checks the preconditions of the client.
   *
   * @param indifferent the budget that allows the eviction uncharged because the pod is not ready,
   *     or null. With such a budget the client's resourceVersion is ignored, as the one of the
   *     snapshot counts; a different UID answers that the budget is still being processed
   */
  private static void check(
      ResourceRequest resourceRequest,
      DeleteOptions options,
      JsonObject pod,
      @Nullable Budget indifferent) {
    if (indifferent == null) {
      Preconditions.check(resourceRequest, options, pod);
    } else if (options.uid() != null && !options.uid().equals(ObjectMeta.uid(pod))) {
      if (options.resourceVersion() == null) {
        throw indifferent.unprocessed();
      }
      Preconditions.check(resourceRequest, options, pod);
    }
  }

  private static WriteResult done() {
    return new WriteResult.Done(201, StatusDetails.NONE);
  }

  /** Whether no budget counts the pod: it is pending, finished or being deleted. */
  private static boolean isUnguarded(JsonObject pod) {
    return ObjectMeta.isDeleting(pod)
        || Set.of("Succeeded", "Failed", "Pending").contains(pod.object("status").string("phase"));
  }

  /**
   * Adds the charge of the pod's budget to the transaction.
   *
   * @return the budget that allows the eviction without a charge, or null
   */
  private @Nullable Budget charge(
      ResourceRequest resourceRequest,
      JsonObject pod,
      Snapshot snapshot,
      List<Operation> operations) {
    var guards = new ArrayList<StoredObject>();
    for (var budget : snapshot.collection(BUDGETS).in(resourceRequest.namespace())) {
      if (new Budget(budget.tree()).covers(pod.object("metadata", "labels"))) {
        guards.add(budget);
      }
    }
    if (guards.size() > 1) {
      throw new ApiException(
          Reason.UNKNOWN,
          "This pod has more than one PodDisruptionBudget, which the eviction subresource does not"
              + " support.");
    }
    for (var guard : guards) {
      var budget = new Budget(guard.tree());
      if (budget.lets(PodConditions.status(pod, "Ready").equals("True"))) {
        return budget;
      }
      var charged = budget.without(resourceRequest.name(), context.now());
      operations.add(new ServerStatusUpdate(BUDGET, guard.tree(), charged).put(context));
    }
    return null;
  }

  /**
   * Marks or deletes the pod. Only a pod that stays for its grace period gets the condition
   * DisruptionTarget.
   */
  private Operation deletion(
      ResourceRequest resourceRequest, DeleteOptions options, StoredObject existing) {
    var pod = existing.tree();
    var evicted =
        pod.with("status", PodConditions.with(pod.object("status"), EVICTED, context.now()));
    var key = resourceRequest.key(resourceRequest.name());
    return switch (resourceRequest.type().strategy().deletion(evicted, options, context.now())) {
      case Deletion.Leave ignored -> put(resourceRequest, key, evicted, existing);
      case Deletion.Mark mark -> put(resourceRequest, key, mark.marked(), existing);
      case Deletion.Remove ignored -> new Operation.Delete(key, existing.revision());
    };
  }

  private Operation put(
      ResourceRequest resourceRequest, String key, JsonObject pod, StoredObject existing) {
    return new Operation.Put(
        key,
        context.codec().encode(CanonicalForm.of(resourceRequest.type(), pod)),
        existing.revision());
  }
}
