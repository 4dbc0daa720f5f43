package dev.muster.authorization.bootstrap;

import dev.muster.model.GroupVersionResource;
import dev.muster.model.json.JsonObject;

/** An object of a first start, whole but for what every write sets. */
public record BootstrapObject(GroupVersionResource resource, JsonObject object) {
  String name() {
    return object.object("metadata").string("name");
  }

  String namespace() {
    return object.object("metadata").string("namespace");
  }
}
