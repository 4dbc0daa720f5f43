package dev.muster.authorization;

import dev.muster.model.User;
import java.util.List;

/** An authorizer that can say everything a user may do. */
public interface RuleResolver {
  /**
   * What is known of a user's rights.
   *
   * @param incomplete when there may be more
   * @param errors what went wrong while looking, each once
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

  /** The rights in a namespace, those for the whole cluster included. */
  Rules rulesFor(User user, String namespace);
}
