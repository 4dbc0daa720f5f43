package dev.muster.access.admission.policy;

import dev.muster.model.json.JsonObject;
import dev.muster.registry.rules.admission.PolicyExpressions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One revision of a policy: whom it concerns, known at once, and its expressions, compiled when the
 * first request needs them and then kept. Safe for any thread.
 */
final class Policy {
  /** What an expression is there for. */
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
   * @param uses by what they are there for, in the order of the lists that they stand in; null
   *     where an item has none
   */
  record Expressions(
      List<PolicyExpression> conditions,
      Map<String, PolicyExpression> variables,
      Map<Use, List<@Nullable PolicyExpression>> uses) {

    /** The expression of an item, or null when it has none of that use. */
    @Nullable PolicyExpression of(Use use, int index) {
      return uses.getOrDefault(use, List.of()).get(index);
    }
  }

  private final String name;
  private final JsonObject spec;
  private final boolean mutates;
  private final MatchCriteria criteria;
  private volatile @Nullable Expressions expressions;

  Policy(JsonObject object, boolean mutates) {
    this.name = object.object("metadata").string("name");
    this.spec = object.object("spec");
    this.mutates = mutates;
    this.criteria = MatchCriteria.of(spec.object("matchConstraints"));
  }

  String name() {
    return name;
  }

  JsonObject spec() {
    return spec;
  }

  MatchCriteria criteria() {
    return criteria;
  }

  /** Whether a request passes when the policy cannot be evaluated. */
  boolean ignoresFailures() {
    return spec.string("failurePolicy").equals("Ignore");
  }

  /** The kind of its parameters, or null when it has none. */
  @Nullable JsonObject paramKind() {
    return spec.get("paramKind") instanceof JsonObject kind ? kind : null;
  }

  /** Made twice when two requests are the first ones at once, which does no harm. */
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
    var plain = new PolicyExpressions(false);
    var conditions =
        spec.array("matchConditions").objects().stream()
            .map(each -> PolicyExpression.of(each.string("expression"), plain, scope))
            .toList();
    var declared = spec.array("variables").objects();
    var composed = new PolicyExpressions(mutates || !declared.isEmpty());
    var variables = new LinkedHashMap<String, PolicyExpression>();
    for (var variable : declared) {
      var made = PolicyExpression.of(variable.string("expression"), composed, scope);
      composed.declare(variable.string("name"), made.type());
      variables.put(variable.string("name"), made);
    }
    var uses = new LinkedHashMap<Use, List<@Nullable PolicyExpression>>();
    for (var use : Use.values()) {
      var some = new ArrayList<@Nullable PolicyExpression>();
      for (var item : spec.array(use.list).objects()) {
        var text = text(item, use);
        some.add(
            text.isEmpty()
                ? null
                : PolicyExpression.of(
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
