package dev.muster.registry.webhook;

/**
 * A webhook could not be asked or did not answer properly, in the words of kube-apiserver. What
 * comes of it is for the caller to decide. It is an answer and not a fault, so it has no stack
 * trace.
 */
public final class WebhookException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String text;

  public WebhookException(String text) {
    super(text, null, false, false);
    this.text = text;
  }

  public String text() {
    return text;
  }
}
