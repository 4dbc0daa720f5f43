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

/** A request as policies and webhooks get to see it. Immutable. */
public final class AdmissionAttributes {
  /** The served versions of resources, for those that have several. */
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

  /** This request after somebody has changed its object. */
  public AdmissionAttributes with(JsonObject object) {
    return new AdmissionAttributes(request.withObject(object), own);
  }

  public AdmissionRequest request() {
    return request;
  }

  /** The version in which the request was made. */
  public MatchedVersion own() {
    return own;
  }

  /** Objects that lie at one place are the same, under whatever group they are served. */
  private static String family(ServedType type) {
    return type.isStored() ? type.storage() : type.groupResource().toString();
  }

  /** The other versions of the resource, also those of other groups. */
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
   * The name as the request, or the new object, says it; "" when there is none yet, and for a
   * member of a collection that is deleted: policies and webhooks get what kube-apiserver gives
   * them.
   */
  public String name() {
    var object = request.object();
    var requested = request.requestedName();
    if (!requested.isEmpty() || object == null || !request.subresource().isEmpty()) {
      return requested;
    }
    return ObjectMeta.name(object);
  }

  /** The namespace that the object is in; a namespace is in itself. */
  public String namespace() {
    return isNamespace() ? name() : request.namespace();
  }

  public boolean isNamespace() {
    return request.isFor("", "namespaces");
  }

  /** The namespace around the object, or null when it is in none. */
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

  /** What is in no namespace is never left out, unless it is one itself. */
  boolean isChosenByNamespace(LabelSelector selector) {
    if (selector.isEverything() || (namespace().isEmpty() && !isNamespace())) {
      return true;
    }
    boolean written =
        isNamespace() && request.subresource().isEmpty() && request.createsOrUpdates();
    return selector.matches(labels(written ? request.mustObject() : existingNamespace()));
  }

  /** Whether a selector chooses the object as it is or as it was. */
  boolean isChosen(LabelSelector selector) {
    return selector.isEverything()
        || isChosen(selector, request.object())
        || isChosen(selector, request.oldObject());
  }

  /** What has no metadata is chosen by no selector. */
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
}
