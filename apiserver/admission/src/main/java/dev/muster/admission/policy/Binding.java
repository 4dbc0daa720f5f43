package dev.muster.admission.policy;

import dev.muster.admission.matching.AdmissionAttributes;
import dev.muster.admission.matching.MatchCriteria;
import dev.muster.model.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What puts a policy in force.
 *
 * @param criteria whom it concerns of those that the policy does; null for all
 * @param actions what follows when a validation fails
 * @param parameters where the policy's parameters are; null when it gets none
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
   * Whether it is about that request.
   *
   * @throws ConfigurationException when nobody can say
   */
  boolean matches(AdmissionAttributes attributes) {
    return criteria == null || AdmissionPolicy.match(criteria, attributes) != null;
  }
}
