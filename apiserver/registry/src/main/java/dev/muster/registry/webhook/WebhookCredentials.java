package dev.muster.registry.webhook;

/**
 * The credentials that the server sends to a webhook, and how it verifies the webhook's
 * certificate.
 *
 * @param authorization the Authorization header; "" for none
 * @param certificate the client certificate chain, in PEM; "" for none
 * @param key the private key of the certificate, in PEM
 * @param serverName the name that the webhook's certificate must contain; "" for the name in its
 *     address
 * @param trusting whether to accept any certificate
 */
public record WebhookCredentials(
    String authorization, String certificate, String key, String serverName, boolean trusting) {
  /** Sends no credentials and verifies the webhook's certificate. */
  public static final WebhookCredentials NONE = new WebhookCredentials("", "", "", "", false);

  /** Omits the secrets. */
  @Override
  public String toString() {
    return "WebhookCredentials[serverName=" + serverName + ", trusting=" + trusting + "]";
  }
}
