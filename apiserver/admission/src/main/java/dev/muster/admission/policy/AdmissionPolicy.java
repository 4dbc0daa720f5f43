package dev.muster.admission.policy;

import dev.muster.admission.matching.AdmissionAttributes;
import dev.muster.admission.matching.AdmissionExpression;
import dev.muster.admission.matching.MatchConditions;
import dev.muster.admission.matching.MatchCriteria;
import dev.muster.admission.matching.MatchedVersion;
import dev.muster.cel.admission.PolicyExpressions;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One revision of an admission policy. Its match criteria are parsed at once; its expressions are
 * compiled at the first request that needs them. Thread-safe.
 */
final class AdmissionPolicy {
  /** The purpose of an expression. */
  enum Use {
    VALIDATION("validations", "expression", true),
    MESSAGE("validations", "messageExpression", false),
    AUDIT("auditAnnotations", "valueExpression", true),
    JSON_PATCH("mutations", "jsonPatch", true),
    APPLY_CONFIGURATION("mutations", "applyConfiguration", true);

    private final String list;
    private final String field;
    private final boolean authorizes;

    Use(String list, String field, boolean authorizes) {
      this.list = list;
      this.field = field;
      this.authorizes = authorizes;
    }
  }

  /**
   * All expressions.
   *
   * @param uses by purpose, in the order of their lists; null where an item has none
   */
  record Expressions(
      MatchConditions conditions,
      Map<String, AdmissionExpression> variables,
      Map<Use, List<@Nullable AdmissionExpression>> uses) {

    /** The expression of an item, or null when it has none for that purpose. */
    @Nullable AdmissionExpression of(Use use, int index) {
      return uses.getOrDefault(use, List.of()).get(index);
    }
  }

  private final String name;
  private final JsonObject spec;
  private final boolean mutates;
  private final MatchCriteria criteria;
  private volatile @Nullable Expressions expressions;

  AdmissionPolicy(JsonObject object, boolean mutates) {
    this.name = object.object("metadata").string("name");
    this.spec = object.object("spec");
    this.mutates = mutates;
    this.criteria = MatchCriteria.ofResources(spec.object("matchConstraints"));
  }

  String name() {
    return name;
  }

  JsonObject spec() {
    return spec;
  }

  /**
   * The version in which a request matches, or null when the policy does not apply.
   *
   * @throws ConfigurationException when the policy's criteria cannot be evaluated
   */
  @Nullable MatchedVersion match(AdmissionAttributes attributes) {
    return match(criteria, attributes);
  }

  static @Nullable MatchedVersion match(MatchCriteria criteria, AdmissionAttributes attributes) {
    try {
      return criteria.match(attributes);
    } catch (ApiException e) {
      throw new ConfigurationException(e.text());
    }
  }

  /** Whether a request passes when the policy cannot be evaluated. */
  boolean ignoresFailures() {
    return spec.string("failurePolicy").equals("Ignore");
  }

  /** The kind of its parameters, or null when it has none. */
  @Nullable JsonObject paramKind() {
    return spec.get("paramKind") instanceof JsonObject kind ? kind : null;
  }

  /** Two concurrent first requests may both compile the expressions, to the same result. */
  Expressions expressions() {
    var made = expressions;
    if (made == null) {
      made = compile();
      expressions = made;
    }
    return made;
  }

  private Expressions compile() {
    boolean params = paramKind() != null;
    var scope = new PolicyExpressions.Scope(params, true, false);
    var conditions = MatchConditions.of(spec.array("matchConditions"), params);
    var declared = spec.array("variables").objects();
    var composed = new PolicyExpressions(mutates || !declared.isEmpty());
    var variables = new LinkedHashMap<String, AdmissionExpression>();
    for (var variable : declared) {
      var made = AdmissionExpression.of(variable.string("expression"), composed, scope);
      composed.declare(variable.string("name"), made.type());
      variables.put(variable.string("name"), made);
    }
    var uses = new LinkedHashMap<Use, List<@Nullable AdmissionExpression>>();
    for (var use : Use.values()) {
      var some = new ArrayList<@Nullable AdmissionExpression>();
      for (var item : spec.array(use.list).objects()) {
        var text = text(item, use);
        some.add(
            text.isEmpty()
                ? null
                : AdmissionExpression.of(
                    text, composed, new PolicyExpressions.Scope(params, use.authorizes, mutates)));
      }
      uses.put(use, some);
    }
    return new Expressions(conditions, variables, uses);
  }

  private static String text(JsonObject item, Use use) {
    return item.get(use.field) instanceof JsonObject nested
        ? nested.string("expression")
        : item.string(use.field);
  }
}
