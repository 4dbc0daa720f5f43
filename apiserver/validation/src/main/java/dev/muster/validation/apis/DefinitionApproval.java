package dev.muster.validation.apis;

import dev.muster.model.MalformedValueException;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.gocompat.GoUrl;

/** The Kubernetes API approval of a definition in a protected group, such as {@code *.k8s.io}. */
enum DefinitionApproval {
  MISSING("MissingAnnotation", "False"),
  BYPASSED("UnapprovedAnnotation", "False"),
  GIVEN("ApprovedAnnotation", "True"),
  INVALID("InvalidAnnotation", "False");

  static final String ANNOTATION = "api-approved.kubernetes.io";

  private static final String WANTED =
      "protected groups must have approval annotation \"" + ANNOTATION + "\"";
  private static final String SEE = ", see https://github.com/kubernetes/enhancements/pull/1111";

  private final String reason;
  private final String conformant;

  DefinitionApproval(String reason, String conformant) {
    this.reason = reason;
    this.conformant = conformant;
  }

  static boolean isNeeded(String group) {
    var suffixed = "." + group;
    return suffixed.endsWith(".k8s.io") || suffixed.endsWith(".kubernetes.io");
  }

  /**
   * @param annotation the value of the annotation, "" when it is missing
   */
  static DefinitionApproval of(String annotation) {
    if (annotation.isEmpty()) {
      return MISSING;
    }
    if (annotation.startsWith("unapproved")) {
      return BYPASSED;
    }
    try {
      var url = GoUrl.parse(annotation);
      return url.host().isEmpty() || url.scheme().isEmpty() ? INVALID : GIVEN;
    } catch (MalformedValueException e) {
      return INVALID;
    }
  }

  String message(String annotation) {
    return switch (this) {
      case MISSING -> WANTED + SEE;
      case BYPASSED -> "not approved: " + GoText.quote(annotation);
      case GIVEN -> "approved in " + annotation;
      case INVALID -> WANTED + " with either a URL or a reason starting with \"unapproved\"" + SEE;
    };
  }

  /** The status condition about the approval. */
  DefinitionConditions.Condition condition(String annotation) {
    return new DefinitionConditions.Condition(
        "KubernetesAPIApprovalPolicyConformant", conformant, reason, message(annotation));
  }
}
