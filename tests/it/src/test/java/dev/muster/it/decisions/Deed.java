package dev.muster.it.decisions;

import java.util.Set;

/** What a client asks for. */
enum Deed {
  GET,
  LIST,
  CREATE,
  DRY_RUN,
  PATCH,
  DELETE,
  CREATE_SECRET,
  /** Whether the robot may read, asked by somebody else. */
  REVIEW;

  /** How it ended. */
  enum Verdict {
    DONE,
    /** Done, with the label of the policy that mutates. */
    LABELLED,
    FORBIDDEN,
    REFUSED_BY_POLICY,
    REFUSED_BY_WEBHOOK,
    /** Nothing that a client may be told here. */
    UNEXPECTED
  }

  /** How it must end when exactly those rules decide. */
  Verdict under(Set<Rule> rules) {
    if (!rules.contains(Rule.ROLE) && !rules.contains(Rule.CLUSTER_ROLE_BINDING)) {
      return Verdict.FORBIDDEN;
    }
    return switch (this) {
      case GET, LIST, DELETE, REVIEW -> Verdict.DONE;
      case PATCH -> isRefused(rules) ? Verdict.REFUSED_BY_POLICY : Verdict.DONE;
      case CREATE, DRY_RUN -> {
        if (isRefused(rules)) {
          yield Verdict.REFUSED_BY_POLICY;
        }
        yield rules.contains(Rule.MUTATING_POLICY_BINDING) ? Verdict.LABELLED : Verdict.DONE;
      }
      case CREATE_SECRET ->
          rules.contains(Rule.WEBHOOK) ? Verdict.REFUSED_BY_WEBHOOK : Verdict.DONE;
    };
  }

  private static boolean isRefused(Set<Rule> rules) {
    return rules.contains(Rule.POLICY) || rules.contains(Rule.POLICY_BINDING);
  }
}
