package dev.muster.access.admission.policy;

import dev.muster.cel.run.Variables;
import dev.muster.cel.value.CelNull;
import dev.muster.cel.value.JsonValues;
import dev.muster.model.GroupVersionKind;
import dev.muster.model.GroupVersionResource;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The variables of a policy's expressions for one request in one version. For one thread; a value
 * is made when an expression first looks at it.
 */
final class PolicyInputs {
  private static final List<String> NAMESPACE_METADATA =
      List.of(
          "name",
          "generateName",
          "namespace",
          "uid",
          "resourceVersion",
          "generation",
          "creationTimestamp",
          "deletionTimestamp",
          "deletionGracePeriodSeconds",
          "labels",
          "annotations",
          "finalizers");

  private final PolicyRequest request;
  private final MatchedVersion version;
  private final @Nullable JsonObject namespace;
  private @Nullable Object object;
  private @Nullable Object oldObject;
  private @Nullable Object asked;

  /**
   * @param namespace of the object, or null when it is in none
   */
  PolicyInputs(PolicyRequest request, MatchedVersion version, @Nullable JsonObject namespace) {
    this.request = request;
    this.version = version;
    this.namespace = namespace;
  }

  /** What match conditions see. */
  Variables forConditions(@Nullable JsonObject parameter) {
    return name -> name.equals("namespaceObject") ? CelNull.NULL : find(name, parameter, true);
  }

  /**
   * What all other expressions see.
   *
   * @param authorizes whether they can ask about rights
   */
  Variables forExpressions(@Nullable JsonObject parameter, boolean authorizes) {
    return name -> find(name, parameter, authorizes);
  }

  private @Nullable Object find(String name, @Nullable JsonObject parameter, boolean authorizes) {
    return switch (name) {
      case "object" -> {
        object = object == null ? shown(request.admission().object()) : object;
        yield object;
      }
      case "oldObject" -> {
        oldObject = oldObject == null ? shown(request.admission().oldObject()) : oldObject;
        yield oldObject;
      }
      case "request" -> {
        asked = asked == null ? JsonValues.of(asked()) : asked;
        yield asked;
      }
      case "namespaceObject" -> namespace == null ? CelNull.NULL : JsonValues.of(shown());
      case "params" -> JsonValues.of(parameter);
      case "authorizer" -> authorizes ? request.authorizer() : null;
      case "authorizer.requestResource" -> authorizes ? request.requestedResource() : null;
      default -> null;
    };
  }

  private Object shown(@Nullable JsonObject stored) {
    return stored == null ? CelNull.NULL : JsonValues.of(request.shown(stored, version));
  }

  private JsonObject shown() {
    var given = namespace == null ? JsonObject.EMPTY : namespace;
    var metadata = JsonObject.builder();
    for (var field : NAMESPACE_METADATA) {
      metadata.putIf(field, given.object("metadata").get(field));
    }
    return JsonObject.of(
        "metadata",
        metadata.build(),
        "spec",
        given.object("spec"),
        "status",
        given.object("status"));
  }

  private JsonObject asked() {
    var admission = request.admission();
    var own = request.own();
    return JsonObject.builder()
        .put("kind", kind(version.kind()))
        .put("resource", resource(version.resource()))
        .putIf("subResource", admission.subresource())
        .put("requestKind", kind(own.kind()))
        .put("requestResource", resource(own.resource()))
        .putIf("requestSubResource", admission.subresource())
        .putIf("name", name())
        .putIf("namespace", request.namespace())
        .put("operation", admission.operation().name())
        .put("userInfo", user())
        .put("dryRun", admission.dryRun())
        .put("options", admission.options())
        .build();
  }

  /** A name that the server has chosen is known when policies validate. */
  private String name() {
    var admission = request.admission();
    var object = admission.object();
    return admission.name().isEmpty() && object != null
        ? object.object("metadata").string("name")
        : admission.name();
  }

  private JsonObject user() {
    var user = request.admission().user();
    var made = JsonObject.builder().putIf("username", user.name()).putIf("uid", user.uid());
    if (!user.groups().isEmpty()) {
      made.put("groups", JsonArray.ofStrings(user.groups()));
    }
    if (!user.extra().isEmpty()) {
      var extra = JsonObject.builder();
      new TreeMap<>(user.extra())
          .forEach((key, values) -> extra.put(key, JsonArray.ofStrings(values)));
      made.put("extra", extra.build());
    }
    return made.build();
  }

  private static Json kind(GroupVersionKind kind) {
    return JsonObject.of("group", kind.group(), "version", kind.version(), "kind", kind.kind());
  }

  private static Json resource(GroupVersionResource resource) {
    return JsonObject.of(
        "group", resource.group(), "version", resource.version(), "resource", resource.resource());
  }
}
