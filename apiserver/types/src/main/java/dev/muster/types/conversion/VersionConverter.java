package dev.muster.types.conversion;

import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.JsonObject;
import java.util.List;

/**
 * Converts objects of a custom resource between its versions. No version of a custom resource can
 * represent all others: a request works in its own version, objects are converted from their stored
 * version when they are read, and to the current stored version when they are written. Thread-safe.
 */
public interface VersionConverter {

  /**
   * The objects in that version, in the same order; objects already in it stay unchanged.
   *
   * @throws dev.muster.model.status.ApiException when they cannot be converted
   */
  List<JsonObject> convert(List<JsonObject> objects, GroupVersionKind to);

  /** Whether a conversion calls a webhook and blocks; if so, event loops must not call it. */
  boolean isBlocking();
}
