package dev.muster.access;

import dev.muster.model.User;
import java.util.ArrayList;
import java.util.List;

/**
 * The authorizers of {@code --authorization-mode} in their order. Members of {@code system:masters}
 * may do everything, whatever the modes say; otherwise the first that allows or denies decides.
 */
public final class AuthorizerChain implements Authorizer, RuleResolver {
  private static final Decision MASTER = Decision.allow("");

  private final List<Authorizer> authorizers;

  public AuthorizerChain(List<? extends Authorizer> authorizers) {
    this.authorizers = List.copyOf(authorizers);
  }

  @Override
  public Decision authorize(Attributes attributes) {
    if (attributes.user().in(User.MASTERS)) {
      return MASTER;
    }
    if (authorizers.size() == 1) {
      return authorizers.getFirst().authorize(attributes);
    }
    var reasons = new ArrayList<String>();
    var errors = new ArrayList<String>();
    for (var authorizer : authorizers) {
      var decision = authorizer.authorize(attributes);
      if (decision.outcome() != Decision.Outcome.NO_OPINION) {
        return decision;
      }
      if (!decision.reason().isEmpty()) {
        reasons.add(decision.reason());
      }
      if (!decision.error().isEmpty()) {
        errors.add(decision.error());
      }
    }
    return Decision.noOpinion(
        String.join("\n", reasons),
        errors.size() < 2 ? String.join("", errors) : "[" + String.join(", ", errors) + "]");
  }

  @Override
  public boolean isSoonDecided(Attributes attributes) {
    if (attributes.user().in(User.MASTERS)) {
      return true;
    }
    for (var authorizer : authorizers) {
      if (!authorizer.isSoonDecided(attributes)) {
        return false;
      }
    }
    return true;
  }

  /** What all modes that can tell say together; upstream keeps system:masters out of it, too. */
  @Override
  public Rules rulesFor(User user, String namespace) {
    var rules = new ArrayList<PolicyRule>();
    var errors = new ArrayList<String>();
    boolean incomplete = false;
    for (var authorizer : authorizers) {
      if (authorizer instanceof RuleResolver resolver) {
        var found = resolver.rulesFor(user, namespace);
        rules.addAll(found.rules());
        incomplete |= found.incomplete();
        if (!found.error().isEmpty()) {
          errors.add(found.error());
        }
      } else {
        incomplete = true;
      }
    }
    return new Rules(rules, incomplete, String.join(", ", errors));
  }
}
