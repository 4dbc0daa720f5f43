package dev.muster.registry.stored;

import static dev.muster.validation.Default.absent;
import static dev.muster.validation.Default.code;
import static dev.muster.validation.Default.each;
import static dev.muster.validation.Default.in;
import static dev.muster.validation.Default.value;
import static dev.muster.validation.Default.when;

import dev.muster.model.GroupVersion;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.validation.Default;

/**
 * Converts role bindings, webhook configurations and policy bindings of versions that are no longer
 * served.
 */
final class LegacyAccess {
  private static final String RBAC = "rbac.authorization.k8s.io";

  /**
   * The defaults of {@code v1beta1} webhooks, such as failure policy Ignore and match policy Exact.
   */
  private static final Default WEBHOOKS =
      each(
          "webhooks",
          value("failurePolicy", "Ignore"),
          value("matchPolicy", "Exact"),
          value("sideEffects", "Unknown"),
          value("timeoutSeconds", 30),
          when(
              hook -> hook.array("admissionReviewVersions").isEmpty(),
              code(
                  hook -> hook.with("admissionReviewVersions", JsonArray.of(Json.of("v1beta1"))))));

  private static final Default POLICY_BINDING =
      in("spec", in("paramRef", absent("parameterNotFoundAction", "Deny")));

  private static final Default SUBJECTS = each("subjects", code(LegacyAccess::subject));

  private LegacyAccess() {}

  static JsonObject webhooks(JsonObject configuration) {
    return WEBHOOKS.apply(configuration);
  }

  static JsonObject policyBinding(JsonObject binding) {
    return POLICY_BINDING.apply(binding);
  }

  static JsonObject roleBinding(JsonObject binding) {
    return SUBJECTS.apply(binding);
  }

  /**
   * Replaces the version of a subject by its group. The user {@code *} meant all authenticated
   * users.
   */
  private static JsonObject subject(JsonObject subject) {
    var version = subject.string("apiVersion");
    var rest = subject.without("apiVersion");
    return switch (subject.string("kind")) {
      case "ServiceAccount" -> rest;
      case "User" ->
          subject.string("name").equals("*")
              ? rest.with("kind", "Group")
                  .with("name", "system:authenticated")
                  .with("apiGroup", RBAC)
              : rest.with("apiGroup", RBAC);
      case "Group" -> rest.with("apiGroup", RBAC);
      default ->
          version.isEmpty() || version.indexOf('/') != version.lastIndexOf('/')
              ? rest
              : rest.with("apiGroup", GroupVersion.parse(version).group());
    };
  }
}
