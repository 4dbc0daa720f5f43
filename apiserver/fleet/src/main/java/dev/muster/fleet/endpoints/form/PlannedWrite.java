package dev.muster.fleet.endpoints.form;

import dev.muster.model.GroupVersionResource;
import dev.muster.model.json.JsonObject;

/**
 * One planned change of an API object. Updates and deletes apply only to the version that the plan
 * has seen, so that they never overwrite a concurrent change.
 */
public sealed interface PlannedWrite {
  /** The kinds of managed objects. */
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

  /** The reason as one word for Events and metrics. */
  String reason();

  /** The description for people; it follows the name of the object in a sentence. */
  String message();

  /** The whole sentence. It omits the name that all objects of the Service share. */
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

  /** Carries the resource version that must be current. */
  record Update(Kind kind, JsonObject object, String reason, String message)
      implements PlannedWrite {}

  /** Carries the version that must be current. */
  record Delete(Kind kind, JsonObject object, String reason, String message)
      implements PlannedWrite {}
}
