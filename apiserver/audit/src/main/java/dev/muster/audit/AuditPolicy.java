package dev.muster.audit;

import dev.muster.authorization.Attributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An {@code audit.k8s.io/v1} Policy: the first matching rule decides. Immutable.
 *
 * @param otherwise the decision for requests that no rule matches
 */
public record AuditPolicy(List<AuditRule> rules, AuditDecision otherwise) {
  public AuditPolicy {
    rules = List.copyOf(rules);
  }

  /**
   * @param attributes of the request
   * @param known whether the request was authenticated; otherwise no list of users or groups
   *     matches
   */
  public AuditDecision decide(Attributes attributes, boolean known) {
    for (var rule : rules) {
      if (rule.fits(attributes, known)) {
        return rule.decision();
      }
    }
    return otherwise;
  }

  /** The option of the rule, or of the whole policy if the rule does not set it. */
  static boolean omitsManagedFields(@Nullable Boolean ofRule, boolean ofPolicy) {
    return ofRule == null ? ofPolicy : ofRule;
  }
}
