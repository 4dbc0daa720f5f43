package dev.muster.registry.webhook;

/**
 * The unparsed response of a webhook.
 *
 * @param contentType "" when the response has none
 */
public record WebhookResponse(int status, String contentType, byte[] body) {}
