package dev.muster.authorization.modes;

import dev.muster.authorization.Attributes;
import dev.muster.authorization.Authorizer;
import dev.muster.authorization.Decision;
import dev.muster.authorization.PolicyRule;
import dev.muster.authorization.RuleResolver;
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
