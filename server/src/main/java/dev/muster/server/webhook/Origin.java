package dev.muster.server.webhook;

import dev.muster.registry.webhook.WebhookClient;
import dev.muster.registry.webhook.WebhookCredentials;

/**
 * Where connections lead that may serve one another's calls.
 *
 * @param host to connect to, a name or an address
 * @param serverName that the certificate there has to be for
 * @param trust whom we believe and what we show
 */
record Origin(String host, int port, String serverName, Trust trust) {
  /**
   * What makes a TLS context.
   *
   * @param authorities who may have signed the webhook's certificate, in PEM; "" for those of this
   *     machine
   */
  record Trust(String authorities, WebhookCredentials credentials) {}

  static Origin of(WebhookClient client, String host, int port, String addressed) {
    var credentials = client.credentials();
    return new Origin(
        host,
        port,
        credentials.serverName().isEmpty() ? addressed : credentials.serverName(),
        new Trust(client.authorities(), credentials));
  }
}
