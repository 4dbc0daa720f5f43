package dev.muster.access.admission.webhook;

import dev.muster.model.go.GoText;

/**
 * A webhook could not be asked, or its answer cannot be used: its failure policy decides what comes
 * of it. Has no stack trace, because it is no fault of this server.
 */
final class CallFailedException extends Exception {
  private static final long serialVersionUID = 1;

  private final String text;

  CallFailedException(String hook, String why) {
    super(why, null, false, false);
    this.text = "failed calling webhook " + GoText.quote(hook) + ": " + why;
  }

  /** What went wrong, with the webhook's name. */
  String text() {
    return text;
  }
}
