package dev.muster.fleet.endpoints.form;

import dev.muster.model.GroupVersionResource;
import dev.muster.model.json.JsonObject;

/**
 * One change of an API object that a plan asks for. Updates and deletes are of the version that the
 * plan saw, so that what somebody else did meanwhile is never overwritten.
 */
public sealed interface PlannedWrite {
  /** The objects that are kept. */
  enum Kind {
    SERVICE("Service", new GroupVersionResource("", "v1", "services"), "/services/specs"),
    ENDPOINTS("Endpoints", new GroupVersionResource("", "v1", "endpoints"), "/services/endpoints"),
    SLICE(
        "EndpointSlice",
        new GroupVersionResource("discovery.k8s.io", "v1", "endpointslices"),
        "/endpointslices");

    private final String kind;
    private final GroupVersionResource resource;
    private final String storage;

    Kind(String kind, GroupVersionResource resource, String storage) {
      this.kind = kind;
      this.resource = resource;
      this.storage = storage;
    }

    public GroupVersionResource resource() {
      return resource;
    }

    public String storage() {
      return storage;
    }
  }

  Kind kind();

  JsonObject object();

  /** Why, in a word for events and metrics. */
  String reason();

  /** What is written, for people: it follows the name of the object in a sentence. */
  String message();

  /** The whole sentence; the name that all objects of the Service have is left out. */
  default String sentence() {
    var subject = kind().kind + (name().equals(DesiredEndpoints.NAME) ? "" : " " + name());
    return subject + " " + message();
  }

  default String name() {
    return object().object("metadata").string("name");
  }

  /** The object must not exist. */
  record Create(Kind kind, JsonObject object, String reason, String message)
      implements PlannedWrite {}

  /** Carries the resource version that must still be there. */
  record Update(Kind kind, JsonObject object, String reason, String message)
      implements PlannedWrite {}

  /** The version that must still be there. */
  record Delete(Kind kind, JsonObject object, String reason, String message)
      implements PlannedWrite {}
}
