package dev.muster.registry.webhook;

/**
 * What this server shows to a webhook, and how much it believes of what the webhook shows.
 *
 * @param authorization the header of that name; "" for none
 * @param certificate of this server, with those that signed it, in PEM; "" for none
 * @param key that belongs to the certificate, in PEM
 * @param serverName that the webhook's certificate is for; "" for the name in its address
 * @param trusting whether any certificate will do
 */
public record WebhookCredentials(
    String authorization, String certificate, String key, String serverName, boolean trusting) {
  /** Nothing is shown, and the webhook has to prove who it is. */
  public static final WebhookCredentials NONE = new WebhookCredentials("", "", "", "", false);

  /** Without the secrets. */
  @Override
  public String toString() {
    return "WebhookCredentials[serverName=" + serverName + ", trusting=" + trusting + "]";
  }
}
