package dev.muster.admission.policy;

import dev.muster.admission.matching.AdmissionAttributes;
import dev.muster.model.GroupVersion;
import dev.muster.model.GroupVersionKind;
import dev.muster.model.MalformedValueException;
import dev.muster.model.json.JsonObject;
import dev.muster.model.select.LabelSelector;
import dev.muster.types.ClusterView;
import dev.muster.types.ServedType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the parameter objects of a policy. */
final class Parameters {
  private static final String NONE_FOUND =
      "no params found for policy binding with `Deny` parameterNotFoundAction";

  private Parameters() {}

  /** A parameter object, or null for an evaluation without one. */
  record Parameter(@Nullable JsonObject object) {
    static final Parameter NONE = new Parameter(null);
  }

  /**
   * The type of a policy's parameters; null when it has none.
   *
   * @throws ConfigurationException when the cluster does not serve that kind
   */
  static @Nullable ServedType type(AdmissionPolicy policy, ClusterView cluster) {
    var kind = policy.paramKind();
    if (kind == null) {
      return null;
    }
    var wanted = GroupVersion.parse(kind.string("apiVersion")).kind(kind.string("kind"));
    var type = cluster.types().ofKind(wanted);
    if (type == null) {
      throw new ConfigurationException(
          "failed to find resource referenced by paramKind: '" + shown(wanted) + "'");
    }
    return type;
  }

  private static String shown(GroupVersionKind kind) {
    return kind.group() + "/" + kind.version() + ", Kind=" + kind.kind();
  }

  /**
   * The parameters that a binding refers to; empty when none exist and the binding allows that.
   *
   * @param type of the policy's parameters, or null
   * @throws ConfigurationException when the reference is invalid for the request, or when required
   *     parameters do not exist
   */
  static List<Parameter> of(
      Binding binding, @Nullable ServedType type, AdmissionAttributes attributes) {
    var reference = binding.parameters();
    if (type == null || reference == null) {
      return List.of(Parameter.NONE);
    }
    var namespace = namespace(reference, type, attributes);
    var cluster = attributes.request().cluster();
    var found =
        !type.isStored()
            ? List.<JsonObject>of()
            : reference.string("name").isEmpty()
                ? chosen(reference, type, namespace, cluster)
                : named(reference.string("name"), type, namespace, cluster);
    if (found.isEmpty() && reference.string("parameterNotFoundAction").equals("Deny")) {
      throw new ConfigurationException(NONE_FOUND);
    }
    return type.fromStored(found).stream().map(Parameter::new).toList();
  }

  private static String namespace(
      JsonObject reference, ServedType type, AdmissionAttributes attributes) {
    var given = reference.string("namespace");
    if (!type.namespaced()) {
      if (!given.isEmpty()) {
        throw new ConfigurationException(
            "paramRef.namespace must not be provided for a cluster-scoped `paramKind`");
      }
      return "";
    }
    var namespace = given.isEmpty() ? attributes.namespace() : given;
    if (namespace.isEmpty()) {
      throw new ConfigurationException(
          "cannot use namespaced paramRef in policy binding that matches cluster-scoped"
              + " resources");
    }
    return namespace;
  }

  private static List<JsonObject> named(
      String name, ServedType type, String namespace, ClusterView cluster) {
    var object = cluster.get(type.storage(), namespace, name);
    return object == null ? List.of() : List.of(object);
  }

  private static List<JsonObject> chosen(
      JsonObject reference, ServedType type, String namespace, ClusterView cluster) {
    if (!(reference.get("selector") instanceof JsonObject given)) {
      throw new ConfigurationException("one of name or selector must be provided");
    }
    try {
      var selector = LabelSelector.ofObject(given);
      return cluster.list(type.storage(), namespace).stream()
          .filter(object -> selector.matches(object.object("metadata", "labels")))
          .toList();
    } catch (MalformedValueException e) {
      throw new ConfigurationException(e.text());
    }
  }
}
