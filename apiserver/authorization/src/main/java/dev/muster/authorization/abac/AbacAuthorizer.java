package dev.muster.authorization.abac;

import dev.muster.authorization.Attributes;
import dev.muster.authorization.Authorizer;
import dev.muster.authorization.Decision;
import dev.muster.authorization.PolicyRule;
import dev.muster.authorization.RuleResolver;
import dev.muster.model.User;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The authorization mode {@code ABAC}. Immutable. The policy file is read once: restart the server
 * to apply changes.
 */
public final class AbacAuthorizer implements Authorizer, RuleResolver {
  private static final Decision YES = Decision.allow("");
  private static final Decision NO = Decision.noOpinion("No policy matched.", "");

  private final List<AbacPolicy> policies;

  AbacAuthorizer(List<AbacPolicy> policies) {
    this.policies = List.copyOf(policies);
  }

  /**
   * Reads a policy file.
   *
   * @throws IllegalArgumentException with the number of an invalid line
   */
  public static AbacAuthorizer read(Path file) {
    return new AbacAuthorizer(PolicyFile.read(file));
  }

  @Override
  public Decision authorize(Attributes attributes) {
    for (var policy : policies) {
      if (policy.allows(attributes)) {
        return YES;
      }
    }
    return NO;
  }

  @Override
  public Rules rulesFor(User user, String namespace) {
    var rules = new ArrayList<PolicyRule>();
    for (var policy : policies) {
      if (policy.isAbout(user) && policy.isIn(namespace)) {
        rules.addAll(policy.rules());
      }
    }
    return new Rules(rules, false, List.of());
  }
}
