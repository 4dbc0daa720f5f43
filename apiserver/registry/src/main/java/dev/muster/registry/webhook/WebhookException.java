package dev.muster.registry.webhook;

/**
 * A failed webhook call or an invalid response, with kube-apiserver's message. The caller decides
 * what follows. Has no stack trace because it is no fault of the server.
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
