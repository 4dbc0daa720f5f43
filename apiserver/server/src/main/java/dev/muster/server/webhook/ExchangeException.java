package dev.muster.server.webhook;

/** A webhook call ended without a whole response. */
final class ExchangeException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String text;
  private final boolean begun;

  /**
   * @param begun whether a response had begun, which proves that the request arrived
   */
  ExchangeException(String text, boolean begun) {
    super(text, null, false, false);
    this.text = text;
    this.begun = begun;
  }

  String text() {
    return text;
  }

  boolean begun() {
    return begun;
  }
}
