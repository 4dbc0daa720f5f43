package dev.muster.controllers;

import dev.muster.model.json.JsonObject;

/** The namespace and name of an object; the namespace is empty for cluster-scoped objects. */
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
