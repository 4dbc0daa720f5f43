package dev.muster.model;

/**
 * A text that cannot be parsed, with kube-apiserver's message. It becomes a response to the client,
 * so it has no stack trace.
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
