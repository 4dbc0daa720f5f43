package dev.muster.registry.webhook;

/**
 * What a webhook answered, whatever it is.
 *
 * @param contentType "" when it names none
 */
public record WebhookResponse(int status, String contentType, byte[] body) {}
