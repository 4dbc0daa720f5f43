package dev.muster.replica;

import dev.muster.model.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * Tells which store keys are API objects and of which collection. Asked by the applier for every
 * change; its answers may grow when types appear at run time, followed by {@link
 * Replica#adopt(String)} for the keys concerned. Safe for use by many threads.
 */
public interface KeySpace {

  /** Where the object under that key lives, or null when the key is not an API object's. */
  @Nullable Place locate(String key);

  /**
   * An object's collection and name in it.
   *
   * @param storage the part of the key before the namespace, such as {@code /configmaps} or {@code
   *     /services/specs}
   */
  record Place(String storage, ObjectName name) {}
}
