package dev.muster.patch.ownership.fields;

/** An invalid fieldsV1. Has no stack trace, because every caller handles it. */
public final class MalformedFieldsException extends RuntimeException {
  public MalformedFieldsException(String message) {
    super(message, null, false, false);
  }
}
