package dev.muster.access;

import dev.muster.model.User;
import dev.muster.registry.types.ClusterView;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

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
    return decide(attributes, authorizer -> authorizer.authorize(attributes));
  }

  @Override
  public Decision authorize(Attributes attributes, ClusterView view) {
    return decide(attributes, authorizer -> authorizer.authorize(attributes, view));
  }

  @Override
  public long changed(ClusterView view) {
    long last = 0;
    for (var authorizer : authorizers) {
      last = Math.max(last, authorizer.changed(view));
    }
    return last;
  }

  private Decision decide(Attributes attributes, Function<Authorizer, Decision> ask) {
    if (attributes.user().in(User.MASTERS)) {
      return MASTER;
    }
    if (authorizers.size() == 1) {
      return ask.apply(authorizers.getFirst());
    }
    var reasons = new ArrayList<String>();
    var errors = new ArrayList<String>();
    for (var authorizer : authorizers) {
      var decision = ask.apply(authorizer);
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
