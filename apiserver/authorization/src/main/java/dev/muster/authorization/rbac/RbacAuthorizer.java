package dev.muster.authorization.rbac;

import dev.muster.authorization.Attributes;
import dev.muster.authorization.Authorizer;
import dev.muster.authorization.Decision;
import dev.muster.authorization.PolicyRule;
import dev.muster.authorization.RuleResolver;
import dev.muster.model.User;
import dev.muster.types.ClusterView;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The authorization mode {@code RBAC}. Thread-safe, without locks. It decides on the newest
 * snapshot: a role or binding applies from the revision at which the replica applied it.
 */
public final class RbacAuthorizer implements Authorizer, RuleResolver {
  private final Supplier<? extends ClusterView> views;
  private volatile @Nullable RbacIndex index;

  /**
   * @param views not read before the first decision
   */
  public RbacAuthorizer(Supplier<? extends ClusterView> views) {
    this.views = views;
  }

  @Override
  public Decision authorize(Attributes attributes) {
    return authorize(attributes, views.get());
  }

  @Override
  public long changed(ClusterView view) {
    return RbacIndex.changed(view);
  }

  @Override
  public Decision authorize(Attributes attributes, ClusterView view) {
    var current = indexFor(view);
    var combined =
        attributes.subresource().isEmpty()
            ? attributes.resource()
            : attributes.resource() + "/" + attributes.subresource();
    var errors = new ArrayList<String>(0);
    var user = attributes.user();
    var subject = user.groups().size() > Bindings.MANY_GROUPS ? new Subject(user) : null;
    var decision = current.bindings("", view).decide(attributes, combined, subject, errors);
    if (decision == null && !attributes.namespace().isEmpty()) {
      decision =
          current
              .bindings(attributes.namespace(), view)
              .decide(attributes, combined, subject, errors);
    }
    if (decision != null) {
      return decision;
    }
    return errors.isEmpty()
        ? Decision.NO_OPINION
        : Decision.noOpinion("RBAC: " + aggregate(errors), "");
  }

  @Override
  public boolean isSoonDecided(Attributes attributes) {
    var view = views.get();
    var current = indexFor(view);
    var namespace = attributes.namespace();
    return current.isSmall("", attributes.user(), view)
        && (namespace.isEmpty() || current.isSmall(namespace, attributes.user(), view));
  }

  @Override
  public Rules rulesFor(User user, String namespace) {
    var view = views.get();
    var current = indexFor(view);
    var grants = new ArrayList<>(current.bindings("", view).of(user));
    if (!namespace.isEmpty()) {
      grants.addAll(current.bindings(namespace, view).of(user));
    }
    var rules = new ArrayList<PolicyRule>();
    var errors = new ArrayList<String>();
    for (var grant : grants) {
      rules.addAll(grant.role().rules());
      if (!grant.error().isEmpty()) {
        errors.add(grant.error());
      }
    }
    return new Rules(rules, false, few(errors));
  }

  /** The index for that view; replaces the shared index when the view has newer RBAC objects. */
  RbacIndex indexFor(ClusterView view) {
    var current = index;
    if (current != null && current.isFor(view)) {
      return current;
    }
    var next = current == null ? RbacIndex.of(view) : current.next(view);
    index = next;
    return next;
  }

  ClusterView view() {
    return views.get();
  }

  private static List<String> few(List<String> errors) {
    return errors.stream().distinct().limit(Bindings.MOST_ERRORS).toList();
  }

  private static String aggregate(List<String> errors) {
    var distinct = few(errors);
    return distinct.size() == 1 ? distinct.getFirst() : "[" + String.join(", ", distinct) + "]";
  }
}
