package dev.muster.controllers.roles;

import dev.muster.controllers.Finalizers;
import dev.muster.controllers.ObjectKey;
import dev.muster.controllers.client.ApiResource;
import dev.muster.controllers.loop.CachedLoop;
import dev.muster.controllers.loop.LoopController;
import dev.muster.controllers.loop.Loops;
import dev.muster.controllers.loop.ObjectCache;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.select.LabelSelector;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * Sets the rules of ClusterRoles with an aggregation rule to the rules of the roles that it
 * selects. Works on one virtual thread.
 */
public final class ClusterRoleAggregation implements LoopController {
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  /**
   * The only key: any role may affect any other, so all are processed together, once for many
   * changes.
   */
  private static final String ALL = "all";

  @Override
  public String name() {
    return "clusterrole-aggregation-controller";
  }

  @Override
  public AutoCloseable start(Loops loops) {
    var resource =
        new ApiResource(loops.requests(), "/apis/rbac.authorization.k8s.io/v1", "clusterroles");
    var loop = new CachedLoop<String>(name(), loops);
    var roles = loop.cache(resource.path(""), ObjectCache::whole, (old, now) -> loop.add(ALL));
    return loop.start(
        1,
        LONGEST_PAUSE,
        key -> {
          aggregate(resource, roles);
          return true;
        });
  }

  private void aggregate(ApiResource resource, ObjectCache roles) {
    for (var role : roles.list("")) {
      if (role.has("aggregationRule") && !Finalizers.isDeleting(role)) {
        // The list includes roles that this loop has just written.
        var rules = rules(role, roles.list(""));
        if (!rules.equals(role.array("rules"))) {
          roles.written(ObjectCache.whole(resource.apply(applied(role, rules), name())));
        }
      }
    }
  }

  /**
   * Applies only the rules, with force, so this controller owns them. An empty list is sent
   * explicitly, because an absent field would leave the rules to other field managers.
   */
  private static JsonObject applied(JsonObject role, JsonArray rules) {
    var metadata = role.object("metadata");
    return JsonObject.of(
        "apiVersion",
        "rbac.authorization.k8s.io/v1",
        "kind",
        "ClusterRole",
        "metadata",
        JsonObject.of("name", metadata.string("name"), "uid", metadata.string("uid")),
        "rules",
        rules);
  }

  /** The rules of the selected roles, by selector and name, without duplicates. */
  static JsonArray rules(JsonObject aggregated, Collection<JsonObject> roles) {
    var rules = new LinkedHashSet<Json>();
    var others =
        roles.stream()
            .filter(role -> !name(role).equals(name(aggregated)))
            .sorted(Comparator.comparing(ClusterRoleAggregation::name))
            .toList();
    for (var selector :
        aggregated.object("aggregationRule").array("clusterRoleSelectors").objects()) {
      var selects = LabelSelector.ofObject(selector);
      for (var role : others) {
        if (selects.matches(role.object("metadata").object("labels"))) {
          rules.addAll(role.array("rules").asList());
        }
      }
    }
    return JsonArray.of(List.copyOf(rules));
  }

  private static String name(JsonObject role) {
    return ObjectKey.of(role).name();
  }
}
