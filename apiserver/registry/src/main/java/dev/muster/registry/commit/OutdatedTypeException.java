package dev.muster.registry.commit;

/**
 * Tells that the type with which a request was decoded is no longer served, or has changed. The
 * request must start again with the types of a newer snapshot. Nothing was changed. Has no stack
 * trace because it is no fault.
 */
public final class OutdatedTypeException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public OutdatedTypeException(String type) {
    super(type + " has changed", null, false, false);
  }
}
