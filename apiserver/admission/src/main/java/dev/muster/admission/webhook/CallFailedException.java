package dev.muster.admission.webhook;

import dev.muster.model.gocompat.GoText;

/**
 * A webhook could not be asked, or its answer cannot be used: its failure policy decides what comes
 * of it. Has no stack trace, because it is no fault of this server.
 */
final class CallFailedException extends Exception {
  private static final long serialVersionUID = 1;

  private final String text;
  private final int code;

  /**
   * @param code the HTTP code that says best what went wrong
   */
  CallFailedException(String hook, int code, String why) {
    super(why, null, false, false);
    this.code = code;
    this.text = "failed calling webhook " + GoText.quote(hook) + ": " + why;
  }

  int code() {
    return code;
  }

  /** What went wrong, with the webhook's name. */
  String text() {
    return text;
  }
}
