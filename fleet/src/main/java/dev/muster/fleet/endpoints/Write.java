package dev.muster.fleet.endpoints;

import dev.muster.model.GroupVersionResource;
import dev.muster.model.JsonObject;

/**
 * One change of an API object that a plan asks for. Updates and deletes are of the version that the
 * plan saw, so that what somebody else did meanwhile is never overwritten.
 */
sealed interface Write {
  /** The objects that are kept. */
  enum Kind {
    SERVICE(new GroupVersionResource("", "v1", "services"), "/services/specs"),
    ENDPOINTS(new GroupVersionResource("", "v1", "endpoints"), "/services/endpoints"),
    SLICE(new GroupVersionResource("discovery.k8s.io", "v1", "endpointslices"), "/endpointslices");

    private final GroupVersionResource resource;
    private final String storage;

    Kind(GroupVersionResource resource, String storage) {
      this.resource = resource;
      this.storage = storage;
    }

    GroupVersionResource resource() {
      return resource;
    }

    String storage() {
      return storage;
    }
  }

  Kind kind();

  JsonObject object();

  /** Why, in a word for events and metrics. */
  String reason();

  /** The same in a sentence for people. */
  String message();

  default String name() {
    return object().object("metadata").string("name");
  }

  /** The object must not exist. */
  record Create(Kind kind, JsonObject object, String reason, String message) implements Write {}

  /** Carries the resource version that must still be there. */
  record Update(Kind kind, JsonObject object, String reason, String message) implements Write {}

  /** The version that must still be there. */
  record Delete(Kind kind, JsonObject object, String reason, String message) implements Write {}
}
