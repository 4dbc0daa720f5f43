package dev.muster.admission.matching;

import dev.muster.authorization.Authorizer;
import dev.muster.cel.run.Variables;
import dev.muster.cel.value.CelNull;
import dev.muster.cel.value.JsonValues;
import dev.muster.model.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The CEL variables for one request in one version, computed on first use. Not thread-safe. */
public final class ExpressionInputs {
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

  private final AdmissionAttributes attributes;
  private final Authorizer authorizer;
  private final MatchedVersion version;
  private final @Nullable JsonObject namespace;
  private @Nullable Object object;
  private @Nullable Object oldObject;
  private @Nullable Object asked;

  /**
   * @param namespace the Namespace object, or null for a cluster-scoped object or when no
   *     expression uses it
   */
  public ExpressionInputs(
      AdmissionAttributes attributes,
      Authorizer authorizer,
      MatchedVersion version,
      @Nullable JsonObject namespace) {
    this.attributes = attributes;
    this.authorizer = authorizer;
    this.version = version;
    this.namespace = namespace;
  }

  /** The variables of match conditions. */
  public Variables forConditions(@Nullable JsonObject parameter) {
    return name -> name.equals("namespaceObject") ? CelNull.NULL : find(name, parameter, true);
  }

  /**
   * The variables of all other expressions.
   *
   * @param authorizes whether the expressions may ask for decisions of the authorizer
   */
  public Variables forExpressions(@Nullable JsonObject parameter, boolean authorizes) {
    return name -> find(name, parameter, authorizes);
  }

  private @Nullable Object find(String name, @Nullable JsonObject parameter, boolean authorizes) {
    return switch (name) {
      case "object" -> {
        object = object == null ? shown(attributes.request().object()) : object;
        yield object;
      }
      case "oldObject" -> {
        oldObject = oldObject == null ? shown(attributes.request().oldObject()) : oldObject;
        yield oldObject;
      }
      case "request" -> {
        asked = asked == null ? JsonValues.of(ReviewedRequest.of(attributes, version)) : asked;
        yield asked;
      }
      case "namespaceObject" -> namespace == null ? CelNull.NULL : JsonValues.of(shown());
      case "params" -> JsonValues.of(parameter);
      case "authorizer" ->
          authorizes ? AuthorizerVariable.of(authorizer, attributes.request().user()) : null;
      case "authorizer.requestResource" ->
          authorizes ? AuthorizerVariable.requested(authorizer, attributes) : null;
      default -> null;
    };
  }

  private Object shown(@Nullable JsonObject stored) {
    return stored == null ? CelNull.NULL : JsonValues.of(version.shown(stored));
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
}
