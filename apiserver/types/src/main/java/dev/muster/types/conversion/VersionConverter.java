package dev.muster.types.conversion;

import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.JsonObject;
import java.util.List;

/**
 * Converts objects of a custom resource between its versions. Such a resource has no version that
 * can say everything: a request works in its own one, and objects are converted from whatever
 * version they lie in when they are read, and to the stored one when they are written. Safe for any
 * thread.
 */
public interface VersionConverter {

  /**
   * The objects in that version, in the same order; those that are in it are left as they are.
   *
   * @throws dev.muster.model.status.ApiException when they cannot be converted
   */
  List<JsonObject> convert(List<JsonObject> objects, GroupVersionKind to);

  /** Whether somebody else is asked, and waited for: then it is not called on an event loop. */
  boolean isBlocking();
}
