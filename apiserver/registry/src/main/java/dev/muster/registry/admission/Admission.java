package dev.muster.registry.admission;

import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import java.util.List;

/**
 * Somebody who may change or refuse a write. Every mutation runs before the first validation, and
 * the object is validated by its own rules in between. Called on the request's virtual thread;
 * implementations keep no state of a request and may be called for several requests at once.
 */
public interface Admission {
  /** Lets everything pass. */
  Admission NONE = new Admission() {};

  /**
   * The object as it should be stored; the same instance when nothing changes. Not called for
   * deletes' objects: those have none, and the answer is ignored.
   *
   * @throws ApiException when the write is refused
   */
  default JsonObject admit(AdmissionRequest request) {
    var object = request.object();
    return object == null ? JsonObject.EMPTY : object;
  }

  /**
   * Looks at the final object.
   *
   * @return what else must be committed together with it
   * @throws ApiException when the write is refused
   */
  default List<RelatedStatusUpdate> validate(AdmissionRequest request) {
    return List.of();
  }
}
