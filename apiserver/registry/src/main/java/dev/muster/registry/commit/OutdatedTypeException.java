package dev.muster.registry.commit;

/**
 * What was sent was read by a type that is not served any more, or not like that: the request has
 * to begin again with the types of a newer snapshot. Nothing was changed. Has no stack trace,
 * because it is no fault.
 */
public final class OutdatedTypeException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public OutdatedTypeException(String type) {
    super(type + " has changed", null, false, false);
  }
}
