package dev.muster.wire;

/**
 * A body that cannot be read, with a message in the words of kube-apiserver. It is an answer and
 * not a fault, so it has no stack trace.
 */
public final class DecodeException extends RuntimeException {
  public DecodeException(String message) {
    super(message, null, false, false);
  }

  public String text() {
    var message = getMessage();
    return message == null ? "" : message;
  }
}
