package dev.muster.authorization.review;

import dev.muster.authorization.Attributes;
import dev.muster.model.User;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import java.util.List;

/** Validates the spec of an access review, with upstream's messages and order. */
final class ReviewRules {
  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final FieldPath RESOURCE = SPEC.child("resourceAttributes");
  private static final FieldPath PATH = SPEC.child("nonResourceAttributes");

  private ReviewRules() {}

  /**
   * @param subject whether the spec must name a user or group
   */
  static void spec(JsonObject spec, boolean subject, List<FieldError> errors) {
    boolean resource = spec.get("resourceAttributes") instanceof JsonObject;
    boolean path = spec.get("nonResourceAttributes") instanceof JsonObject;
    if (resource && path) {
      errors.add(
          FieldError.invalid(
              PATH, pathText(spec), "cannot be specified in combination with resourceAttributes"));
    }
    if (!resource && !path) {
      errors.add(
          FieldError.invalid(
              RESOURCE,
              JsonNull.NULL,
              "exactly one of nonResourceAttributes or resourceAttributes must be specified"));
    }
    if (subject && spec.string("user").isEmpty() && spec.array("groups").isEmpty()) {
      errors.add(
          FieldError.invalid(
              SPEC.child("user"), "", "at least one of user or group must be specified"));
    }
    var attributes = spec.object("resourceAttributes");
    if (attributes.get("fieldSelector") instanceof JsonObject selector) {
      SelectorCheck.fields(selector, RESOURCE.child("fieldSelector"), errors);
    }
    if (attributes.get("labelSelector") instanceof JsonObject selector) {
      SelectorCheck.labels(selector, RESOURCE.child("labelSelector"), errors);
    }
  }

  /** The additional rules of a LocalSubjectAccessReview. */
  static void local(JsonObject spec, String namespace, List<FieldError> errors) {
    if (spec.get("resourceAttributes") instanceof JsonObject attributes
        && !attributes.string("namespace").equals(namespace)) {
      errors.add(
          FieldError.invalid(
              RESOURCE.child("namespace"),
              attributes.string("namespace"),
              "must match metadata.namespace"));
    }
    if (spec.get("nonResourceAttributes") instanceof JsonObject) {
      errors.add(FieldError.invalid(PATH, pathText(spec), "disallowed on this kind of request"));
    }
  }

  /** Upstream prints its internal structure here, whose field names start with capitals. */
  private static JsonObject pathText(JsonObject spec) {
    var given = spec.object("nonResourceAttributes");
    return JsonObject.of("Path", given.string("path"), "Verb", given.string("verb"));
  }

  static Attributes attributes(JsonObject spec, User user) {
    if (spec.get("resourceAttributes") instanceof JsonObject given) {
      var version = given.string("version");
      return Attributes.resource(
              user,
              given.string("verb"),
              given.string("group"),
              version.isEmpty() ? "*" : version,
              given.string("resource"),
              given.string("subresource"),
              given.string("namespace"),
              given.string("name"))
          .selecting(
              SelectorCheck.understoodFields(given.object("fieldSelector")),
              SelectorCheck.understoodLabels(given.object("labelSelector")));
    }
    var given = spec.object("nonResourceAttributes");
    return Attributes.path(user, given.string("verb"), given.string("path"));
  }
}
