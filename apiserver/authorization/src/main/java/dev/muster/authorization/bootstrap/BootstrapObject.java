package dev.muster.authorization.bootstrap;

import dev.muster.model.GroupVersionResource;
import dev.muster.model.json.JsonObject;

/**
 * An object that the server creates at its first start, without the metadata that every write sets.
 */
public record BootstrapObject(GroupVersionResource resource, JsonObject object) {
  String name() {
    return object.object("metadata").string("name");
  }

  String namespace() {
    return object.object("metadata").string("namespace");
  }
}
