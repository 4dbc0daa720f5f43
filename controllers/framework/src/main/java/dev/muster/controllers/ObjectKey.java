package dev.muster.controllers;

import dev.muster.model.json.JsonObject;

/** An object by its place; the namespace is empty for what has none. */
public record ObjectKey(String namespace, String name) {
  public static ObjectKey of(JsonObject object) {
    var metadata = object.object("metadata");
    return new ObjectKey(metadata.string("namespace"), metadata.string("name"));
  }

  @Override
  public String toString() {
    return namespace.isEmpty() ? name : namespace + "/" + name;
  }
}
