package dev.muster.authorization.modes;

import dev.muster.authorization.Attributes;
import dev.muster.authorization.Authorizer;
import dev.muster.authorization.Decision;
import dev.muster.authorization.PolicyRule;
import dev.muster.authorization.RuleResolver;
import dev.muster.model.User;
import dev.muster.types.ClusterView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs the authorizers of {@code --authorization-mode} in order: the first one that allows or
 * denies decides. Members of {@code system:masters} are always allowed.
 */
public final class AuthorizerChain implements Authorizer, RuleResolver {
  private static final Decision MASTER = Decision.allow("");

  private final List<Link> links;

  private AuthorizerChain(Link[] links) {
    this.links = List.of(links);
  }

  public AuthorizerChain(List<? extends Authorizer> authorizers) {
    this(authorizers.stream().map(each -> new Link(each, allowed -> {})).toArray(Link[]::new));
  }

  /** A chain that reports the decisions of each authorizer. */
  public static AuthorizerChain of(List<Link> links) {
    return new AuthorizerChain(links.toArray(Link[]::new));
  }

  /** Receives a decision: true when an authorizer allowed, false when it denied. */
  @FunctionalInterface
  public interface Decisions {
    void decided(boolean allowed);
  }

  /** An authorizer with the counter of its decisions. */
  public record Link(Authorizer authorizer, Decisions decisions) {
    private Decision ask(Attributes attributes, @Nullable ClusterView view) {
      var decision =
          view == null ? authorizer.authorize(attributes) : authorizer.authorize(attributes, view);
      if (decision.outcome() != Decision.Outcome.NO_OPINION) {
        decisions.decided(decision.allowed());
      }
      return decision;
    }
  }

  @Override
  public Decision authorize(Attributes attributes) {
    return decide(attributes, null);
  }

  @Override
  public Decision authorize(Attributes attributes, ClusterView view) {
    return decide(attributes, view);
  }

  @Override
  public long changed(ClusterView view) {
    long last = 0;
    for (var link : links) {
      last = Math.max(last, link.authorizer().changed(view));
    }
    return last;
  }

  @Override
  public long changed(Attributes attributes, ClusterView view) {
    long last = 0;
    for (var link : links) {
      last = Math.max(last, link.authorizer().changed(attributes, view));
    }
    return last;
  }

  /**
   * @param view null for the newest
   */
  private Decision decide(Attributes attributes, @Nullable ClusterView view) {
    if (attributes.user().in(User.MASTERS)) {
      return MASTER;
    }
    if (links.size() == 1) {
      return links.getFirst().ask(attributes, view);
    }
    var reasons = new ArrayList<String>(0);
    var errors = new ArrayList<String>(0);
    for (var link : links) {
      var decision = link.ask(attributes, view);
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
    return Decision.noOpinion(String.join("\n", reasons), together(errors));
  }

  private static String together(List<String> errors) {
    return errors.size() < 2 ? String.join("", errors) : "[" + String.join(", ", errors) + "]";
  }

  @Override
  public boolean isSoonDecided(Attributes attributes) {
    if (attributes.user().in(User.MASTERS)) {
      return true;
    }
    for (var link : links) {
      if (!link.authorizer().isSoonDecided(attributes)) {
        return false;
      }
    }
    return true;
  }

  /**
   * The rules of all modes that can list them. Like upstream, it omits the rights of
   * system:masters.
   */
  @Override
  public Rules rulesFor(User user, String namespace) {
    var rules = new ArrayList<PolicyRule>();
    var errors = new ArrayList<String>();
    boolean incomplete = false;
    for (var link : links) {
      if (link.authorizer() instanceof RuleResolver resolver) {
        var found = resolver.rulesFor(user, namespace);
        rules.addAll(found.rules());
        incomplete |= found.incomplete();
        errors.addAll(found.errors());
      } else {
        incomplete = true;
      }
    }
    return new Rules(rules, incomplete, errors);
  }
}
