package dev.muster.registry.webhook;

/** Sends reviews to webhooks. Its methods block and run only on virtual threads. Thread-safe. */
@FunctionalInterface
public interface WebhookTransport {
  /**
   * Sends a review and waits for the whole response. A redirect is not followed but returned.
   *
   * @throws WebhookException when the response does not arrive in time or is too large
   */
  WebhookResponse post(WebhookCall call) throws WebhookException;
}
