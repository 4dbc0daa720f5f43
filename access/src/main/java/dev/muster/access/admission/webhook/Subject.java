package dev.muster.access.admission.webhook;

import dev.muster.model.GroupVersionKind;
import dev.muster.model.GroupVersionResource;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.types.Derivation;
import dev.muster.registry.types.ObjectMeta;
import dev.muster.registry.types.ServedType;
import dev.muster.registry.types.Types;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** A request as webhooks get to see it. */
record Subject(AdmissionRequest request) {
  private static final Set<String> EXEMPT =
      Set.of(
          "ValidatingWebhookConfiguration",
          "MutatingWebhookConfiguration",
          "ValidatingAdmissionPolicy",
          "ValidatingAdmissionPolicyBinding",
          "MutatingAdmissionPolicy",
          "MutatingAdmissionPolicyBinding");

  /** The served versions of resources, for those that have several. */
  private static final Derivation<Types, Map<String, List<ServedType>>> ALIKE =
      new Derivation<>(
          types -> {
            var families =
                types.all().stream()
                    .filter(ServedType::isServed)
                    .collect(Collectors.groupingBy(Subject::family));
            families.values().removeIf(family -> family.size() == 1);
            return Map.copyOf(families);
          });

  /** Whether nobody is asked, so that who has locked himself out can repair what did it. */
  boolean isExempt() {
    var kind = kind();
    return kind.group().equals("admissionregistration.k8s.io") && EXEMPT.contains(kind.kind());
  }

  GroupVersionResource resource() {
    return resource(request.type());
  }

  static GroupVersionResource resource(ServedType type) {
    return type.groupVersion().resource(type.plural());
  }

  GroupVersionKind kind() {
    return kind(request.type());
  }

  /** The kind of the body: of the object, or of a subresource that has one of its own. */
  GroupVersionKind kind(ServedType type) {
    var sub = request.subresource().isEmpty() ? null : type.subresource(request.subresource());
    return sub == null ? type.kind() : sub.kind();
  }

  /** The other versions of the same resource, in whatever groups. */
  List<ServedType> equivalents() {
    var type = request.type();
    var alike = ALIKE.of(request.cluster().types()).getOrDefault(family(type), List.of());
    return alike.stream()
        .filter(other -> !resource(other).equals(resource(type)))
        .filter(other -> request.subresource().isEmpty() || other.has(request.subresource()))
        .toList();
  }

  /** Objects that lie at one place are the same, under whatever group they are served. */
  private static String family(ServedType type) {
    return type.isStored() ? type.storage() : type.groupResource().toString();
  }

  /** The name as the request, or the new object, says it; "" when there is none yet. */
  String name() {
    var object = request.object();
    if (!request.name().isEmpty() || object == null || !request.subresource().isEmpty()) {
      return request.name();
    }
    return ObjectMeta.name(object);
  }

  /** A namespace is in itself. */
  String namespace() {
    return isNamespace() ? name() : request.namespace();
  }

  boolean isNamespace() {
    return request.isFor("", "namespaces");
  }

  /** The options as kube-apiserver hands them on: those of a patch are an update's. */
  Json options() {
    if (request.operation() == AdmissionOperation.CONNECT) {
      return JsonNull.NULL;
    }
    var options = request.options();
    if (options.string("kind").equals("PatchOptions")) {
      return options.with("kind", "UpdateOptions");
    }
    var old = request.oldObject();
    if (request.operation() == AdmissionOperation.DELETE && isNamespace() && old != null) {
      var conditions = options.object("preconditions");
      return conditions.has("uid")
          ? options
          : options.with("preconditions", conditions.with("uid", ObjectMeta.uid(old)));
    }
    return options;
  }

  /** This subject after somebody has changed its object. */
  Subject with(JsonObject object) {
    return new Subject(request.withObject(object));
  }
}
