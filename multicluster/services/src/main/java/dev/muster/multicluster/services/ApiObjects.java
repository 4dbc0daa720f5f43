package dev.muster.multicluster.services;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The objects of one API server. Every call may fail with an exception of any kind, after which it
 * is unknown whether it happened.
 */
interface ApiObjects {
  Optional<Map<String, Object>> get(ServicesResource resource, String namespace, String name);

  /** Those that have all these labels. */
  List<Map<String, Object>> list(
      ServicesResource resource, String namespace, Map<String, String> labels);

  /** Whether it was made; not if there is one of that name, or no such namespace. */
  boolean create(ServicesResource resource, String namespace, Map<String, Object> object);

  /**
   * Replaces an object in the version that it carries.
   *
   * @throws RuntimeException also when it changed meanwhile
   */
  void update(ServicesResource resource, String namespace, Map<String, Object> object);

  /** Replaces the status of an object in the version that it carries. */
  void updateStatus(ServicesResource resource, String namespace, Map<String, Object> object);

  /** Deletes that object and no other of its name; one that is gone is no failure. */
  void delete(ServicesResource resource, Map<String, Object> object);
}
