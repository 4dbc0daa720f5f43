package dev.muster.authorization.rbac;

import dev.muster.authorization.Attributes;
import dev.muster.authorization.Decision;
import dev.muster.model.User;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The grants of all bindings in one namespace, or of the cluster role bindings. Grants are indexed
 * by user name and group, so a check needs a few lookups however many bindings exist. Thread-safe.
 * Immutable except for a cache for users in many groups.
 */
final class Bindings {
  static final Bindings NONE = new Bindings(Map.of(), Map.of());

  /** The largest number of missing roles in an error. */
  static final int MOST_ERRORS = 32;

  /** Rules with this many texts are checked in less than a tenth of a millisecond. */
  private static final int SMALL = 10_000;

  private static final Grant[] NOTHING = {};

  /** The grants of users with more groups than this are cached together. */
  static final int MANY_GROUPS = 16;

  /** The largest number of cached users, and the limit for the texts of their rules. */
  private static final int MOST_USERS = 256;

  private static final long MOST_TEXTS = 200_000;

  private final Map<String, Grant[]> byUser;
  private final Map<String, Grant[]> byGroup;
  private final Map<Subject, UserGrants> users = new ConcurrentHashMap<>();
  private final AtomicLong texts = new AtomicLong();

  private Bindings(Map<String, Grant[]> byUser, Map<String, Grant[]> byGroup) {
    this.byUser = byUser;
    this.byGroup = byGroup;
  }

  /**
   * A role that one subject has by one binding.
   *
   * @param order the position of the binding among all of its namespace
   * @param error why the role could not be resolved; "" when it could
   */
  record Grant(int order, CompiledRole role, Decision decision, String error) {}

  /**
   * The first grant that allows, or null; errors are added to the list.
   *
   * @param subject the request's user if it is in many groups, else null
   */
  @Nullable Decision decide(
      Attributes attributes, String combined, @Nullable Subject subject, List<String> errors) {
    var user = attributes.user();
    if (subject != null) {
      return grants(user, subject).decide(attributes, combined, errors);
    }
    var found = decide(byUser.get(user.name()), attributes, combined, errors);
    if (found != null) {
      return found;
    }
    var groups = user.groups();
    for (int i = 0; i < groups.size(); i++) {
      found = decide(byGroup.get(groups.get(i)), attributes, combined, errors);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /** All grants of a user in many groups, cached while the bindings are unchanged. */
  private UserGrants grants(User user, Subject subject) {
    var known = users.get(subject);
    if (known != null) {
      return known;
    }
    var all = new ArrayList<Grant>(List.of(byUser.getOrDefault(user.name(), NOTHING)));
    for (var group : user.groups()) {
      all.addAll(List.of(byGroup.getOrDefault(group, NOTHING)));
    }
    long weight = all.stream().mapToLong(grant -> 1 + grant.role().weight()).sum();
    var made = new UserGrants(all);
    if (users.size() >= MOST_USERS || texts.addAndGet(weight) > MOST_TEXTS) {
      users.clear();
      texts.set(weight);
    }
    if (weight <= MOST_TEXTS) {
      users.put(subject, made);
    }
    return made;
  }

  private static @Nullable Decision decide(
      Grant @Nullable [] grants, Attributes attributes, String combined, List<String> errors) {
    if (grants == null) {
      return null;
    }
    for (var grant : grants) {
      if (grant.role().allows(attributes, combined)) {
        return grant.decision();
      }
      if (!grant.error().isEmpty()
          && errors.size() < MOST_ERRORS
          && !errors.contains(grant.error())) {
        errors.add(grant.error());
      }
    }
    return null;
  }

  /** Whether the user's grants can be checked quickly. */
  boolean isSmall(User user) {
    long weight = weight(byUser.get(user.name()));
    var groups = user.groups();
    for (int i = 0; i < groups.size() && weight <= SMALL; i++) {
      weight += 1 + weight(byGroup.get(groups.get(i)));
    }
    return weight <= SMALL;
  }

  private static long weight(Grant @Nullable [] grants) {
    if (grants == null) {
      return 0;
    }
    long weight = 0;
    for (int i = 0; i < grants.length && weight <= SMALL; i++) {
      weight += 1 + grants[i].role().weight();
    }
    return weight;
  }

  /** The user's grants in the order of their bindings, each binding once. */
  List<Grant> of(User user) {
    var found = new HashMap<Integer, Grant>();
    for (var grant : byUser.getOrDefault(user.name(), NOTHING)) {
      found.putIfAbsent(grant.order(), grant);
    }
    for (var group : new LinkedHashSet<>(user.groups())) {
      for (var grant : byGroup.getOrDefault(group, NOTHING)) {
        found.putIfAbsent(grant.order(), grant);
      }
    }
    return found.keySet().stream().sorted().map(found::get).toList();
  }

  /** Collects grants. Not thread-safe. */
  static final class Builder {
    private final Map<String, List<Grant>> byUser = new HashMap<>();
    private final Map<String, List<Grant>> byGroup = new HashMap<>();

    void grantUser(String name, Grant grant) {
      byUser.computeIfAbsent(name, key -> new ArrayList<>()).add(grant);
    }

    void grantGroup(String name, Grant grant) {
      byGroup.computeIfAbsent(name, key -> new ArrayList<>()).add(grant);
    }

    Bindings build() {
      return byUser.isEmpty() && byGroup.isEmpty()
          ? NONE
          : new Bindings(arrays(byUser), arrays(byGroup));
    }

    private static Map<String, Grant[]> arrays(Map<String, List<Grant>> lists) {
      var arrays = new HashMap<String, Grant[]>();
      lists.forEach((name, grants) -> arrays.put(name, grants.toArray(NOTHING)));
      return arrays;
    }
  }
}
