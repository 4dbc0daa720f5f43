package dev.muster.authorization;

import dev.muster.model.User;
import java.util.List;

/** An authorizer that can list the rules of a user. */
public interface RuleResolver {
  /**
   * The known rules of a user.
   *
   * @param incomplete whether the user may have further rights
   * @param errors distinct errors during evaluation
   */
  record Rules(List<PolicyRule> rules, boolean incomplete, List<String> errors) {
    public Rules {
      rules = List.copyOf(rules);
      errors = errors.stream().distinct().toList();
    }

    /** All errors as one text; "" for none. */
    public String error() {
      return errors.size() < 2 ? String.join("", errors) : "[" + String.join(", ", errors) + "]";
    }
  }

  /** The user's rules in a namespace, including cluster-wide ones. */
  Rules rulesFor(User user, String namespace);
}
