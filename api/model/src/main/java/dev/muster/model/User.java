package dev.muster.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The authenticated user of a request.
 *
 * @param uid "" when the authentication method provides none
 * @param groups in the order in which {@code SelfSubjectReview} shows them
 * @param extra further attributes from authentication, such as the pod of a token
 */
public record User(String name, String uid, List<String> groups, Map<String, List<String>> extra) {
  public static final String ANONYMOUS_NAME = "system:anonymous";
  public static final String ALL_AUTHENTICATED = "system:authenticated";
  public static final String ALL_UNAUTHENTICATED = "system:unauthenticated";
  public static final String MASTERS = "system:masters";
  public static final String SERVICE_ACCOUNT_PREFIX = "system:serviceaccount:";

  public static final User ANONYMOUS =
      new User(ANONYMOUS_NAME, "", List.of(ALL_UNAUTHENTICATED), Map.of());

  /**
   * The API server itself. Audit and admission see this user for the server's own writes
   * (bootstrap, allocators).
   */
  public static final User SERVER =
      new User("system:apiserver", "", List.of(MASTERS, ALL_AUTHENTICATED), Map.of());

  public User {
    groups = List.copyOf(groups);
    extra = Map.copyOf(extra);
  }

  public static User of(String name, String... groups) {
    return new User(name, "", List.of(groups), Map.of());
  }

  public boolean in(String group) {
    return groups.contains(group);
  }

  public boolean isAnonymous() {
    return name.equals(ANONYMOUS_NAME);
  }

  /**
   * This user in the group {@code system:authenticated}, unless it is anonymous or already in one
   * of these groups.
   */
  public User authenticated() {
    if (isAnonymous() || in(ALL_AUTHENTICATED) || in(ALL_UNAUTHENTICATED)) {
      return this;
    }
    var more = new ArrayList<>(groups);
    more.add(ALL_AUTHENTICATED);
    return new User(name, uid, more, extra);
  }
}
