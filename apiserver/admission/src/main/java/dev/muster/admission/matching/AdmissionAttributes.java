package dev.muster.admission.matching;

import dev.muster.model.GroupResource;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.select.LabelSelector;
import dev.muster.model.status.ApiException;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.types.Derivation;
import dev.muster.types.ObjectMeta;
import dev.muster.types.ServedType;
import dev.muster.types.Types;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A request as admission policies and webhooks see it. Immutable. */
public final class AdmissionAttributes {
  /** The served types of resources that have several versions or groups. */
  private static final Derivation<Types, Map<String, List<ServedType>>> ALIKE =
      new Derivation<>(
          types -> {
            var families =
                types.all().stream()
                    .filter(ServedType::isServed)
                    .collect(Collectors.groupingBy(AdmissionAttributes::family));
            families.values().removeIf(family -> family.size() == 1);
            return Map.copyOf(families);
          });

  private final AdmissionRequest request;
  private final MatchedVersion own;

  public AdmissionAttributes(AdmissionRequest request) {
    this(request, MatchedVersion.of(request.type(), request.subresource()));
  }

  private AdmissionAttributes(AdmissionRequest request, MatchedVersion own) {
    this.request = request;
    this.own = own;
  }

  /** A copy with the changed object. */
  public AdmissionAttributes with(JsonObject object) {
    return new AdmissionAttributes(request.withObject(object), own);
  }

  public AdmissionRequest request() {
    return request;
  }

  /** The version of the request. */
  public MatchedVersion own() {
    return own;
  }

  /** Resources with the same storage location are equivalent, whatever group serves them. */
  private static String family(ServedType type) {
    return type.isStored() ? type.storage() : type.groupResource().toString();
  }

  /** The other served versions of the resource, including those in other groups. */
  List<MatchedVersion> equivalents() {
    var type = request.type();
    return ALIKE.of(request.cluster().types()).getOrDefault(family(type), List.of()).stream()
        .filter(other -> !isSameResource(other, type))
        .filter(other -> request.subresource().isEmpty() || other.has(request.subresource()))
        .map(other -> MatchedVersion.of(other, request.subresource()))
        .toList();
  }

  private static boolean isSameResource(ServedType one, ServedType other) {
    return one.groupVersion().equals(other.groupVersion()) && one.plural().equals(other.plural());
  }

  /**
   * The name in the request or in the new object. It is "" when there is none yet, and for members
   * of a deletecollection, as in kube-apiserver.
   */
  public String name() {
    var object = request.object();
    var requested = request.requestedName();
    if (!requested.isEmpty() || object == null || !request.subresource().isEmpty()) {
      return requested;
    }
    return ObjectMeta.name(object);
  }

  /** The namespace of the object; a namespace counts as in itself. */
  public String namespace() {
    return isNamespace() ? name() : request.namespace();
  }

  public boolean isNamespace() {
    return request.isFor("", "namespaces");
  }

  /** The Namespace object, or null for a cluster-scoped object. */
  public @Nullable JsonObject namespaceObject() {
    return isNamespace() || namespace().isEmpty() ? null : existingNamespace();
  }

  private JsonObject existingNamespace() {
    var found = request.cluster().get("/namespaces", "", namespace());
    if (found == null) {
      throw ApiException.notFound(new GroupResource("", "namespaces"), namespace());
    }
    return found;
  }

  /**
   * Whether the selector matches the object's namespace; always true for cluster-scoped objects
   * other than namespaces.
   */
  boolean isChosenByNamespace(LabelSelector selector) {
    if (selector.isEverything() || (namespace().isEmpty() && !isNamespace())) {
      return true;
    }
    boolean written =
        isNamespace() && request.subresource().isEmpty() && request.createsOrUpdates();
    return selector.matches(labels(written ? request.mustObject() : existingNamespace()));
  }

  /** Whether the selector matches the new or the old object. */
  boolean isChosen(LabelSelector selector) {
    return selector.isEverything()
        || isChosen(selector, request.object())
        || isChosen(selector, request.oldObject());
  }

  /** An object without metadata matches no selector. */
  private static boolean isChosen(LabelSelector selector, @Nullable JsonObject object) {
    return object != null && object.has("metadata") && selector.matches(labels(object));
  }

  private static JsonObject labels(JsonObject object) {
    return object.object("metadata", "labels");
  }

  boolean is(ResourceRuleMatch rule, MatchedVersion version) {
    return rule.matches(
        request.operation(), version.resource(), request.subresource(), namespace(), name());
  }

  /** The options in kube-apiserver's form; a patch has update options. */
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
}
