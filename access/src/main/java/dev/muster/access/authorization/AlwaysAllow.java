package dev.muster.access.authorization;

import dev.muster.access.Attributes;
import dev.muster.access.Authorizer;
import dev.muster.access.Decision;
import dev.muster.access.PolicyRule;
import dev.muster.access.RuleResolver;
import dev.muster.model.User;
import java.util.List;

/** The authorization mode {@code AlwaysAllow}. */
public final class AlwaysAllow implements Authorizer, RuleResolver {
  private static final Decision YES = Decision.allow("");
  private static final List<String> ALL = List.of("*");
  private static final Rules EVERYTHING =
      new Rules(
          List.of(
              new PolicyRule(ALL, ALL, ALL, List.of(), List.of()),
              new PolicyRule(ALL, List.of(), List.of(), List.of(), ALL)),
          false,
          List.of());

  @Override
  public Decision authorize(Attributes attributes) {
    return YES;
  }

  @Override
  public Rules rulesFor(User user, String namespace) {
    return EVERYTHING;
  }
}
