package dev.muster.model;

/**
 * Text that cannot be read as the value it should be. The message is what kube-apiserver says about
 * it. Has no stack trace, because it ends up in an answer and is not a fault.
 */
public final class MalformedValueException extends RuntimeException {
  public MalformedValueException(String message) {
    super(message, null, false, false);
  }

  public String text() {
    var message = getMessage();
    return message == null ? "" : message;
  }
}
