package dev.muster.authorization.rbac;

import dev.muster.authorization.Attributes;
import dev.muster.authorization.Decision;
import dev.muster.authorization.rbac.Bindings.Grant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The grants of one user in one namespace or the cluster, indexed by resource, for users with many
 * grants. Immutable.
 */
final class UserGrants {
  private static final Grant[] NONE = {};

  private final Map<String, Grant[]> byResource = new HashMap<>();
  private final Grant[] starred;
  private final Grant[] paths;
  private final List<String> errors = new ArrayList<>();

  /**
   * @param grants in the order of evaluation
   */
  UserGrants(List<Grant> grants) {
    var wild = new ArrayList<Grant>();
    var urls = new ArrayList<Grant>();
    var named = new HashMap<String, List<Grant>>();
    for (var grant : grants) {
      var role = grant.role();
      if (role.isStarred()) {
        // A starred grant applies to every resource, so it is in every list, at its position.
        named.values().forEach(list -> list.add(grant));
        wild.add(grant);
      }
      for (var resource : role.resources()) {
        var list = named.computeIfAbsent(resource, key -> new ArrayList<>(wild));
        if (list.isEmpty() || list.getLast() != grant) {
          list.add(grant);
        }
      }
      if (role.hasPaths()) {
        urls.add(grant);
      }
      if (!grant.error().isEmpty()
          && errors.size() < Bindings.MOST_ERRORS
          && !errors.contains(grant.error())) {
        errors.add(grant.error());
      }
    }
    named.forEach((resource, list) -> byResource.put(resource, list.toArray(NONE)));
    starred = wild.toArray(NONE);
    paths = urls.toArray(NONE);
  }

  /** The first grant that allows, or null; errors are added to the list. */
  @Nullable Decision decide(Attributes attributes, String combined, List<String> problems) {
    var grants = attributes.resourceRequest() ? byResource.getOrDefault(combined, starred) : paths;
    for (var grant : grants) {
      if (grant.role().allows(attributes, combined)) {
        return grant.decision();
      }
    }
    for (var error : errors) {
      if (problems.size() < Bindings.MOST_ERRORS && !problems.contains(error)) {
        problems.add(error);
      }
    }
    return null;
  }
}
