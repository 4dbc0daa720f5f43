package dev.muster.server.webhook;

/** An exchange ended without a whole answer. */
final class ExchangeException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String text;
  private final boolean begun;

  /**
   * @param begun whether there was some of an answer, so that the request surely arrived
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
