package dev.muster.admission.policy;

/**
 * Thrown when a policy or binding cannot be evaluated; the failure policy decides about the
 * request.
 */
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
