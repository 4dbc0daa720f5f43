package dev.muster.wire;

/**
 * A body that cannot be decoded, with kube-apiserver's message. It becomes a response to the
 * client, so it has no stack trace.
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
