package dev.muster.registry.pods;

import dev.muster.model.GroupResource;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.StatusDetails;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.Names;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.commit.AttemptResult;
import dev.muster.registry.commit.WriteConstraints;
import dev.muster.registry.request.ResourceRequest;
import dev.muster.registry.write.CreateHandler;
import dev.muster.registry.write.StorageErrors;
import dev.muster.registry.write.WriteContext;
import dev.muster.registry.write.WriteResult;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.schema.Schemas;
import dev.muster.schema.StructShape;
import dev.muster.schema.read.TypedReader;
import dev.muster.store.Operation;
import dev.muster.types.ObjectMeta;
import dev.muster.types.SnapshotView;
import dev.muster.types.options.WriteOptions;
import dev.muster.validation.pods.PodBindingRules;
import dev.muster.validation.pods.PodConditions;
import java.util.ArrayList;
import java.util.List;

/**
 * Binds pods to nodes, for {@code pods/binding} and the older {@code bindings}. A pod can be bound
 * once: of two concurrent bindings one fails. Its methods block and run on virtual threads.
 */
public final class BindingHandler {
  private static final String STORAGE = "/pods";
  private static final GroupResource PODS = new GroupResource("", "pods");
  private static final GroupResource BINDING = new GroupResource("", "pods/binding");
  private static final StructShape POD = Schemas.struct("io.k8s.api.core.v1.Pod");
  private static final JsonObject SCHEDULED =
      JsonObject.of("type", "PodScheduled", "status", "True");

  private final WriteContext context;

  public BindingHandler(WriteContext context) {
    this.context = context;
  }

  /**
   * @param resourceRequest for a pod's subresource, or for {@code bindings}, where the Binding
   *     names the pod
   */
  public WriteResult bind(ResourceRequest resourceRequest, JsonObject sent, WriteOptions options) {
    CreateHandler.matchNamespace(resourceRequest, sent);
    var binding = resourceRequest.subresource().isEmpty() ? withoutPreconditions(sent) : sent;
    var name =
        resourceRequest.subresource().isEmpty() ? ObjectMeta.name(sent) : resourceRequest.name();
    return context
        .attempts()
        .carryOut(
            new WriteConstraints(
                key(resourceRequest.namespace(), name),
                resourceRequest.deadline(),
                resourceRequest.warnings(),
                resourceRequest.annotations(),
                resourceRequest.guard()),
            (snapshot, warnings) ->
                attempt(resourceRequest.withWarnings(warnings), name, binding, options, snapshot));
  }

  private AttemptResult<WriteResult> attempt(
      ResourceRequest resourceRequest,
      String name,
      JsonObject binding,
      WriteOptions options,
      Snapshot snapshot) {
    var admitted = admitted(resourceRequest, name, binding, options, snapshot);
    var existing = snapshot.collection(STORAGE).get(resourceRequest.namespace(), name);
    if (existing == null) {
      throw ApiException.notFound(PODS, name);
    }
    var bound = bound(admitted, existing, resourceRequest.namespace());
    var done = new WriteResult.Done(201, StatusDetails.NONE);
    if (options.dryRun()) {
      return new AttemptResult.Answer<>(done);
    }
    var put =
        new Operation.Put(
            key(resourceRequest.namespace(), name),
            context.codec().encode(bound),
            existing.revision());
    return new AttemptResult.Write<>(
        List.of(put),
        revision -> {
          context.commits().shown(revision, resourceRequest.deadline());
          return done;
        });
  }

  private static String key(String namespace, String name) {
    return STORAGE + "/" + namespace + "/" + name;
  }

  /** Only the subresource uses UID and resourceVersion as preconditions. */
  private static JsonObject withoutPreconditions(JsonObject binding) {
    return ObjectMeta.change(
        binding, metadata -> metadata.without("uid").without("resourceVersion"));
  }

  private JsonObject admitted(
      ResourceRequest resourceRequest,
      String name,
      JsonObject binding,
      WriteOptions options,
      Snapshot snapshot) {
    var request =
        resourceRequest.admission(
            AdmissionOperation.CREATE,
            name,
            binding,
            null,
            options.dryRun(),
            options.asObject("CreateOptions"),
            new SnapshotView(snapshot));
    var admitted = context.admission().admit(request);
    if (!name.equals(ObjectMeta.name(admitted))) {
      throw ApiException.badRequest("name in URL does not match name in Binding object");
    }
    var errors = new ArrayList<FieldError>();
    PodBindingRules.check(admitted, errors);
    if (!errors.isEmpty()) {
      throw ApiException.badRequest(FieldError.join(errors));
    }
    context.admission().validate(request.withObject(admitted));
    if (name.isEmpty()) {
      throw ApiException.badRequest("Name parameter required.");
    }
    var problems = Names.pathSegment(name);
    if (!problems.isEmpty()) {
      throw ApiException.badRequest(
          "Name parameter invalid: " + GoText.quote(name) + ": " + String.join(";", problems));
    }
    return admitted;
  }

  private JsonObject bound(JsonObject binding, StoredObject existing, String namespace) {
    var pod = existing.tree();
    var name = ObjectMeta.name(pod);
    checkPreconditions(binding, existing, namespace);
    if (ObjectMeta.isDeleting(pod)) {
      throw refused(name, "pod " + name + " is being deleted, cannot be assigned to a host");
    }
    var node = pod.object("spec").string("nodeName");
    if (!node.isEmpty()) {
      throw refused(name, "pod " + name + " is already assigned to node " + GoText.quote(node));
    }
    if (!pod.object("spec").array("schedulingGates").isEmpty()) {
      throw refused(name, "pod " + name + " has non-empty .spec.schedulingGates");
    }
    var status = pod.object("status").without("nominatedNodeName");
    var bound =
        pod.with(
                "spec",
                pod.object("spec").with("nodeName", binding.object("target").string("name")))
            .with("status", PodConditions.with(status, SCHEDULED, context.now()));
    for (var member : List.of("annotations", "labels")) {
      for (var entry : binding.object("metadata", member).strings().entrySet()) {
        bound = bound.withAt(Json.of(entry.getValue()), "metadata", member, entry.getKey());
      }
    }
    return TypedReader.normal(POD, bound);
  }

  private static ApiException refused(String name, String why) {
    return ApiException.conflict(BINDING, name, why);
  }

  private void checkPreconditions(JsonObject binding, StoredObject existing, String namespace) {
    check(existing, namespace, "UID", ObjectMeta.uid(binding), existing.uid());
    check(
        existing,
        namespace,
        "ResourceVersion",
        ObjectMeta.resourceVersion(binding),
        Long.toString(existing.revision()));
  }

  private void check(
      StoredObject existing, String namespace, String what, String wanted, String actual) {
    if (wanted.isEmpty() || wanted.equals(actual)) {
      return;
    }
    var name = ObjectMeta.name(existing.tree());
    throw ApiException.conflict(
        PODS,
        name,
        StorageErrors.precondition(
            context.publicPrefix() + key(namespace, name), what, wanted, actual));
  }
}
