package dev.muster.authorization.modes;

import dev.muster.authorization.Attributes;
import dev.muster.authorization.Authorizer;
import dev.muster.authorization.Decision;
import dev.muster.authorization.RuleResolver;
import dev.muster.model.User;
import java.util.List;

/**
 * The authorization mode {@code AlwaysDeny}, which never allows and leaves the decision to other
 * modes, if any.
 */
public final class AlwaysDeny implements Authorizer, RuleResolver {
  private static final Decision NO = Decision.noOpinion("Everything is forbidden.", "");

  @Override
  public Decision authorize(Attributes attributes) {
    return NO;
  }

  @Override
  public Rules rulesFor(User user, String namespace) {
    return new Rules(List.of(), false, List.of());
  }
}
