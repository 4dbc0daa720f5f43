package dev.muster.registry.webhook;

/** Takes reviews to webhooks. Safe for any thread; blocks, so only for virtual ones. */
@FunctionalInterface
public interface WebhookTransport {
  /**
   * Sends a review and waits for the whole answer. No redirect is followed: it is an answer.
   *
   * @throws WebhookException when there is none in time, or more than was allowed
   */
  WebhookResponse post(WebhookCall call) throws WebhookException;
}
