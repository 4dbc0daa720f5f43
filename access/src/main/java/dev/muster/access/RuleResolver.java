package dev.muster.access;

import dev.muster.model.User;
import java.util.List;

/** An authorizer that can say everything a user may do. */
public interface RuleResolver {
  /**
   * What is known of a user's rights.
   *
   * @param incomplete when there may be more
   * @param error what went wrong while looking; "" for nothing
   */
  record Rules(List<PolicyRule> rules, boolean incomplete, String error) {
    public Rules {
      rules = List.copyOf(rules);
    }
  }

  /** The rights in a namespace, those for the whole cluster included. */
  Rules rulesFor(User user, String namespace);
}
