package dev.muster.change.ownership;

/** A fieldsV1 that does not say what somebody owns. Has no stack trace; callers know what to do. */
final class MalformedFieldsException extends RuntimeException {
  MalformedFieldsException(String message) {
    super(message, null, false, false);
  }
}
