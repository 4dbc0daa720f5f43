package dev.muster.admission.policy;

/** A policy or binding cannot be held against a request; the failure policy says what follows. */
final class ConfigurationException extends RuntimeException {
  private static final long serialVersionUID = 1;

  ConfigurationException(String message) {
    super(message, null, false, false);
  }

  String text() {
    var message = getMessage();
    return message == null ? "" : message;
  }
}
