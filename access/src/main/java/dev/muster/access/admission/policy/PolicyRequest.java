package dev.muster.access.admission.policy;

import dev.muster.access.Attributes;
import dev.muster.access.Authorizer;
import dev.muster.cel.value.Authorization;
import dev.muster.model.User;
import dev.muster.model.json.JsonObject;
import dev.muster.model.select.LabelSelector;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.types.Derivation;
import dev.muster.registry.types.ServedType;
import dev.muster.registry.types.Types;
import dev.muster.registry.write.ScaleHandler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** For the thread of one request: what policies look at to find out whether it concerns them. */
final class PolicyRequest {
  private static final Derivation<Types, Map<String, List<ServedType>>> BY_STORAGE =
      new Derivation<>(PolicyRequest::byStorage);

  private final AdmissionRequest request;
  private final Authorizer authorizer;
  private final MatchedVersion own;
  private final String namespace;

  PolicyRequest(AdmissionRequest request, Authorizer authorizer) {
    this.request = request;
    this.authorizer = authorizer;
    this.own = MatchedVersion.of(request.type(), request.subresource());
    boolean named = isNamespace() && request.operation() != AdmissionOperation.CREATE;
    this.namespace = named ? request.name() : request.namespace();
  }

  private static Map<String, List<ServedType>> byStorage(Types types) {
    var found = new HashMap<String, List<ServedType>>();
    for (var type : types.all()) {
      if (type.isServed() && type.isStored()) {
        found.computeIfAbsent(type.storage(), ignored -> new ArrayList<>()).add(type);
      }
    }
    found.replaceAll((storage, versions) -> List.copyOf(versions));
    return Map.copyOf(found);
  }

  AdmissionRequest admission() {
    return request;
  }

  /** The version in which the request was made. */
  MatchedVersion own() {
    return own;
  }

  /** The namespace that the object is in; a namespace that exists is in itself. */
  String namespace() {
    return namespace;
  }

  boolean isNamespace() {
    return request.isFor("", "namespaces");
  }

  /** Whether selectors of namespaces say anything about this request. */
  boolean isInNamespace() {
    return !namespace.isEmpty() || isNamespace();
  }

  /** The labels of the object's namespace, or null when there is no such namespace. */
  @Nullable JsonObject namespaceLabels() {
    if (isNamespace() && request.subresource().isEmpty() && request.createsOrUpdates()) {
      return labels(request.mustObject());
    }
    if (namespace.isEmpty()) {
      return JsonObject.EMPTY;
    }
    var found = request.cluster().get("/namespaces", "", namespace);
    return found == null ? null : labels(found);
  }

  private static JsonObject labels(JsonObject object) {
    return object.object("metadata", "labels");
  }

  /** Whether a selector chooses the object as it is or as it was. */
  boolean hasObject(LabelSelector selector) {
    return isChosen(selector, request.object()) || isChosen(selector, request.oldObject());
  }

  private boolean isChosen(LabelSelector selector, @Nullable JsonObject object) {
    if (object == null) {
      return false;
    }
    return selector.matches(labels(own.isOwnKind() ? object : shown(object, own)));
  }

  boolean is(ResourceRuleMatch rule, MatchedVersion version) {
    return rule.matches(
        request.operation(), version.resource(), request.subresource(), namespace, request.name());
  }

  /** The other versions of the resource, also those of other groups. */
  List<MatchedVersion> equivalents() {
    var type = request.type();
    if (!type.isStored()) {
      return List.of();
    }
    var versions = BY_STORAGE.of(request.cluster().types()).getOrDefault(type.storage(), List.of());
    var found = new ArrayList<MatchedVersion>();
    for (var version : versions) {
      boolean other = !version.groupVersion().equals(type.groupVersion());
      if (other && (request.subresource().isEmpty() || version.has(request.subresource()))) {
        found.add(MatchedVersion.of(version, request.subresource()));
      }
    }
    return found;
  }

  /** An object of the request in a version that was asked for. */
  JsonObject shown(JsonObject object, MatchedVersion version) {
    if (version.isOwnKind()) {
      return version.type().isStored() ? version.type().fromStored(object) : object;
    }
    boolean parent = request.subresource().equals("scale") && version.type().scale() != null;
    return parent ? ScaleHandler.of(request.type(), object) : object;
  }

  Authorization.Authorizer authorizer() {
    return new Authorization.Authorizer(this::review, null);
  }

  /** What the request itself asks for, without its verb. */
  Authorization.ResourceCheck requestedResource() {
    return new Authorization.ResourceCheck(
        authorizer(),
        own.resource().group(),
        own.resource().resource(),
        request.subresource(),
        namespace,
        request.name());
  }

  private Authorization.Decision review(Authorization.Question question) {
    var account = question.account();
    var user =
        account == null
            ? request.user()
            : User.of(
                User.SERVICE_ACCOUNT_PREFIX + account.namespace() + ":" + account.name(),
                "system:serviceaccounts",
                "system:serviceaccounts:" + account.namespace(),
                User.ALL_AUTHENTICATED);
    var decision =
        authorizer.authorize(
            question.path().isEmpty()
                ? Attributes.resource(
                    user,
                    question.verb(),
                    question.group(),
                    "*",
                    question.resource(),
                    question.subresource(),
                    question.namespace(),
                    question.name())
                : Attributes.path(user, question.verb(), question.path()));
    return new Authorization.Decision(decision.allowed(), decision.reason(), decision.error());
  }
}
