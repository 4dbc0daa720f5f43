package dev.muster.patch.ownership.fields;

/** A fieldsV1 that does not say what somebody owns. Has no stack trace; callers know what to do. */
public final class MalformedFieldsException extends RuntimeException {
  public MalformedFieldsException(String message) {
    super(message, null, false, false);
  }
}
