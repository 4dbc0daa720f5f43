package dev.muster.registry.admission;

import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import java.util.List;

/**
 * An admission step that may mutate or refuse a write. All mutations run first; then the strategy
 * of the resource validates the object; then all validating steps run. The methods run on the
 * request's virtual thread. Implementations are thread-safe: they keep no state of a request.
 */
public interface Admission {
  /** Admits every request unchanged. */
  Admission NONE = new Admission() {};

  /**
   * Returns the object to store, or the same instance when nothing changes. A delete has no object:
   * its result is ignored.
   *
   * @throws ApiException when the write is refused
   */
  default JsonObject admit(AdmissionRequest request) {
    var object = request.object();
    return object == null ? JsonObject.EMPTY : object;
  }

  /**
   * Validates the final object.
   *
   * @return status updates of other objects that must be committed together with the write
   * @throws ApiException when the write is refused
   */
  default List<RelatedStatusUpdate> validate(AdmissionRequest request) {
    return List.of();
  }
}
