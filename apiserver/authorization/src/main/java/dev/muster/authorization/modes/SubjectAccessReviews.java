package dev.muster.authorization.modes;

import dev.muster.authorization.Attributes;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.select.FieldSelector;
import dev.muster.model.select.LabelRequirement;
import dev.muster.model.select.LabelSelector;
import java.util.ArrayList;
import java.util.TreeMap;

/** Converts request attributes to SubjectAccessReviews. */
final class SubjectAccessReviews {
  private SubjectAccessReviews() {}

  /** The spec of a v1 review, without empty fields. */
  static JsonObject spec(Attributes attributes) {
    var spec = JsonObject.builder();
    if (attributes.resourceRequest()) {
      var fields = fields(attributes.fields());
      var labels = labels(attributes.labels());
      var resource =
          JsonObject.builder()
              .putIf("namespace", attributes.namespace())
              .putIf("verb", attributes.verb())
              .putIf("group", attributes.group())
              .putIf("version", attributes.version())
              .putIf("resource", attributes.resource())
              .putIf("subresource", attributes.subresource())
              .putIf("name", attributes.name());
      if (!fields.isEmpty()) {
        resource.put("fieldSelector", JsonObject.of("requirements", fields));
      }
      if (!labels.isEmpty()) {
        resource.put("labelSelector", JsonObject.of("requirements", labels));
      }
      spec.put("resourceAttributes", resource.build());
    } else {
      spec.put(
          "nonResourceAttributes",
          JsonObject.builder()
              .putIf("path", attributes.path())
              .putIf("verb", attributes.verb())
              .build());
    }
    var user = attributes.user();
    spec.putIf("user", user.name());
    if (!user.groups().isEmpty()) {
      spec.put("groups", JsonArray.ofStrings(user.groups()));
    }
    if (!user.extra().isEmpty()) {
      var extra = JsonObject.builder();
      new TreeMap<>(user.extra())
          .forEach((key, values) -> extra.put(key, JsonArray.ofStrings(values)));
      spec.put("extra", extra.build());
    }
    return spec.putIf("uid", user.uid()).build();
  }

  private static JsonArray fields(FieldSelector selector) {
    var requirements = new ArrayList<Json>();
    for (var term : selector.terms()) {
      requirements.add(
          JsonObject.of(
              "key",
              term.field(),
              "operator",
              term.equal() ? "In" : "NotIn",
              "values",
              JsonArray.of(Json.of(term.value()))));
    }
    return JsonArray.of(requirements);
  }

  /** Omits requirements that a review cannot express, such as a comparison. */
  private static JsonArray labels(LabelSelector selector) {
    var requirements = new ArrayList<Json>();
    for (var requirement : selector.requirements()) {
      var operator = operator(requirement.operator());
      if (!operator.isEmpty()) {
        var json = JsonObject.builder().put("key", requirement.key()).put("operator", operator);
        if (!requirement.values().isEmpty()) {
          json.put("values", JsonArray.ofStrings(requirement.values()));
        }
        requirements.add(json.build());
      }
    }
    return JsonArray.of(requirements);
  }

  private static String operator(LabelRequirement.Operator operator) {
    return switch (operator) {
      case EQUALS, DOUBLE_EQUALS, IN -> "In";
      case NOT_EQUALS, NOT_IN -> "NotIn";
      case EXISTS -> "Exists";
      case DOES_NOT_EXIST -> "DoesNotExist";
      case GREATER_THAN, LESS_THAN -> "";
    };
  }

  /** A complete review with that spec. */
  static JsonObject review(JsonObject spec, String version) {
    return JsonObject.of(
        "kind",
        "SubjectAccessReview",
        "apiVersion",
        "authorization.k8s.io/" + version,
        "metadata",
        JsonObject.EMPTY,
        "spec",
        version.equals("v1beta1") ? renamed(spec) : spec,
        "status",
        JsonObject.of("allowed", false));
  }

  /** The version v1beta1 has another name for the groups. */
  private static JsonObject renamed(JsonObject spec) {
    var groups = spec.get("groups");
    return groups == null ? spec : spec.without("groups").with("group", groups);
  }

  /** The variable {@code request} of match conditions: a spec that includes empty texts. */
  static JsonObject variable(Attributes attributes, JsonObject spec) {
    var user = attributes.user();
    var variable =
        JsonObject.builder()
            .put("user", user.name())
            .put("groups", JsonArray.ofStrings(user.groups()))
            .put("uid", user.uid())
            .put("extra", spec.object("extra"));
    if (!attributes.resourceRequest()) {
      return variable
          .put(
              "nonResourceAttributes",
              JsonObject.of("verb", attributes.verb(), "path", attributes.path()))
          .build();
    }
    var given = spec.object("resourceAttributes");
    return variable
        .put(
            "resourceAttributes",
            JsonObject.builder()
                .put("namespace", attributes.namespace())
                .put("verb", attributes.verb())
                .put("group", attributes.group())
                .put("version", attributes.version())
                .put("resource", attributes.resource())
                .put("subresource", attributes.subresource())
                .put("name", attributes.name())
                .putIf("fieldSelector", given.get("fieldSelector"))
                .putIf("labelSelector", given.get("labelSelector"))
                .build())
        .build();
  }
}
