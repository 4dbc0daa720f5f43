package dev.muster.controllers.garbagecollector;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Safe for any thread. What the collector asks of an API server. */
interface ObjectClient {
  /** How a write ended; other failures are exceptions. */
  enum Outcome {
    DONE,
    /** No object of that name. */
    NOT_FOUND,
    /** The object is another one, or in another version, than was meant. */
    CONFLICT,
    /** The server does not know that kind of patch for this type. */
    UNSUPPORTED
  }

  /** What happens to the dependents of an object that is deleted. */
  enum Propagation {
    ORPHAN("Orphan"),
    FOREGROUND("Foreground"),
    BACKGROUND("Background");

    private final String text;

    Propagation(String text) {
      this.text = text;
    }

    String text() {
      return text;
    }
  }

  /**
   * An object as the server has it.
   *
   * @param finalizers all of them, in their order
   * @param ownerReferences all of them with all their fields, in their order
   */
  record LiveObject(
      ObjectMetadata metadata,
      String resourceVersion,
      List<String> finalizers,
      List<Map<String, Object>> ownerReferences) {}

  /** The type is not served, at least not now. */
  final class UnknownTypeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnknownTypeException(String apiVersion, String kind) {
      super("no resource is served for " + apiVersion + "/" + kind);
    }
  }

  /**
   * @throws UnknownTypeException if the type is not served
   */
  boolean isNamespaced(String apiVersion, String kind);

  /** The object of that name, whatever its uid. */
  Optional<LiveObject> get(ObjectReference object);

  /** Deletes the object of that uid; in that version only, unless it is empty. */
  Outcome delete(ObjectReference object, String resourceVersion, Propagation propagation);

  /** A strategic merge patch, which not every type knows. */
  Outcome patch(ObjectReference object, Map<String, Object> patch);

  /** A JSON merge patch, which every type knows. */
  Outcome mergePatch(ObjectReference object, Map<String, Object> patch);
}
