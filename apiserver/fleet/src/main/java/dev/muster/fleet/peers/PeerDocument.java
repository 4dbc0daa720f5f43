package dev.muster.fleet.peers;

import dev.muster.model.GroupVersion;
import dev.muster.model.GroupVersionResource;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The resources of a peer, from its aggregated discovery.
 *
 * @param groups its groups, without the core group, which every server has
 */
record PeerDocument(Set<GroupVersionResource> resources, JsonArray groups) {
  PeerDocument {
    resources = Set.copyOf(resources);
  }

  /**
   * @param documents of {@code /api} and {@code /apis}
   */
  static PeerDocument of(List<JsonObject> documents) {
    var resources = new HashSet<GroupVersionResource>();
    var groups = new ArrayList<Json>();
    for (var document : documents) {
      for (var group : document.array("items").objects()) {
        var name = group.object("metadata").string("name");
        for (var version : group.array("versions").objects()) {
          for (var resource : version.array("resources").objects()) {
            resources.add(
                new GroupVersionResource(
                    name, version.string("version"), resource.string("resource")));
          }
        }
        if (!name.isEmpty()) {
          groups.add(group);
        }
      }
    }
    return new PeerDocument(resources, JsonArray.of(groups));
  }

  /** The document without those versions. */
  PeerDocument without(Set<GroupVersion> versions) {
    if (resources.stream().noneMatch(resource -> versions.contains(resource.groupVersion()))) {
      return this;
    }
    var left = new HashSet<>(resources);
    left.removeIf(resource -> versions.contains(resource.groupVersion()));
    var groupsLeft = new ArrayList<Json>();
    for (var group : groups.objects()) {
      var name = group.object("metadata").string("name");
      var kept =
          group.array("versions").objects().stream()
              .filter(
                  version -> !versions.contains(new GroupVersion(name, version.string("version"))))
              .toList();
      if (!kept.isEmpty()) {
        groupsLeft.add(group.with("versions", JsonArray.of(kept)));
      }
    }
    return new PeerDocument(left, JsonArray.of(groupsLeft));
  }
}
