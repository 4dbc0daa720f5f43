package dev.muster.multicluster.services;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The objects of one API server. Any call may throw; its outcome is then unknown. */
interface ApiObjects {
  Optional<Map<String, Object>> get(ServicesResource resource, String namespace, String name);

  /** The objects with all these labels. */
  List<Map<String, Object>> list(
      ServicesResource resource, String namespace, Map<String, String> labels);

  /** Creates an object; returns false if the name is taken or the namespace does not exist. */
  boolean create(ServicesResource resource, String namespace, Map<String, Object> object);

  /**
   * Replaces an object, with its version as precondition.
   *
   * @throws RuntimeException also after a conflict
   */
  void update(ServicesResource resource, String namespace, Map<String, Object> object);

  /** Replaces the status, with the object's version as precondition. */
  void updateStatus(ServicesResource resource, String namespace, Map<String, Object> object);

  /** Deletes exactly that object; an object that is already gone is no failure. */
  void delete(ServicesResource resource, Map<String, Object> object);
}
