package dev.muster.admission.webhook;

import dev.muster.model.gocompat.GoText;

/**
 * Thrown when a webhook cannot be called or its response is invalid; its failure policy decides
 * about the request. There is no stack trace, because the failure is not in this server.
 */
final class CallFailedException extends Exception {
  private static final long serialVersionUID = 1;

  private final String text;
  private final int code;

  /**
   * @param code the HTTP code that describes the failure best
   */
  CallFailedException(String hook, int code, String why) {
    super(why, null, false, false);
    this.code = code;
    this.text = "failed calling webhook " + GoText.quote(hook) + ": " + why;
  }

  int code() {
    return code;
  }

  /** The failure, with the webhook's name. */
  String text() {
    return text;
  }
}
