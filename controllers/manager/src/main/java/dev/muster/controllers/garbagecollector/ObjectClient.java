package dev.muster.controllers.garbagecollector;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The requests of the garbage collector to an API server. Thread-safe. */
interface ObjectClient {
  /** The result of a write; other failures are exceptions. */
  enum Outcome {
    DONE,
    /** No object has that name. */
    NOT_FOUND,
    /** The UID or version differs from the precondition. */
    CONFLICT,
    /** The type does not support that kind of patch. */
    UNSUPPORTED
  }

  /** The propagation policy of a deletion. */
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
   * @param finalizers all of them, in order
   * @param ownerReferences all of them with all fields, in order
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

  /** The object with that name, whatever its UID. */
  Optional<LiveObject> get(ObjectReference object);

  /** Deletes the object with that UID, and with that version unless it is empty. */
  Outcome delete(ObjectReference object, String resourceVersion, Propagation propagation);

  /** A strategic merge patch, which custom resources do not support. */
  Outcome patch(ObjectReference object, Map<String, Object> patch);

  /** A JSON merge patch, which every type supports. */
  Outcome mergePatch(ObjectReference object, Map<String, Object> patch);
}
