package dev.muster.admission.policy;

import dev.muster.admission.matching.AdmissionAttributes;
import dev.muster.admission.matching.MatchCriteria;
import dev.muster.model.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A binding that puts a policy in force.
 *
 * @param criteria narrows the policy's criteria; null for no change
 * @param actions the consequences of a failed validation
 * @param parameters the reference to parameters; null for none
 */
record Binding(
    String name,
    String policy,
    @Nullable MatchCriteria criteria,
    List<String> actions,
    @Nullable JsonObject parameters) {

  static Binding of(JsonObject object) {
    var spec = object.object("spec");
    return new Binding(
        object.object("metadata").string("name"),
        spec.string("policyName"),
        spec.get("matchResources") instanceof JsonObject resources
            ? MatchCriteria.ofResources(resources)
            : null,
        spec.array("validationActions").strings(),
        spec.get("paramRef") instanceof JsonObject reference ? reference : null);
  }

  /**
   * Whether the binding applies to the request.
   *
   * @throws ConfigurationException when its criteria cannot be evaluated
   */
  boolean matches(AdmissionAttributes attributes) {
    return criteria == null || AdmissionPolicy.match(criteria, attributes) != null;
  }
}
