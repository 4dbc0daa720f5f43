package dev.muster.audit;

import dev.muster.authorization.Attributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An {@code audit.k8s.io/v1} Policy: the first rule that fits a request decides, and what fits none
 * is not logged. Immutable.
 *
 * @param otherwise holds for requests that no rule fits
 */
public record AuditPolicy(List<AuditRule> rules, AuditDecision otherwise) {
  public AuditPolicy {
    rules = List.copyOf(rules);
  }

  /**
   * @param attributes of the request
   * @param known whether somebody was authenticated; nobody is in no list of users or groups
   */
  public AuditDecision decide(Attributes attributes, boolean known) {
    for (var rule : rules) {
      if (rule.fits(attributes, known)) {
        return rule.decision();
      }
    }
    return otherwise;
  }

  /** The rule's own word, or else that of the whole policy. */
  static boolean omitsManagedFields(@Nullable Boolean ofRule, boolean ofPolicy) {
    return ofRule == null ? ofPolicy : ofRule;
  }
}
