package dev.muster.server.webhook;

import dev.muster.registry.webhook.WebhookClient;
import dev.muster.registry.webhook.WebhookCredentials;
import dev.muster.server.egress.EgressType;

/**
 * Where connections lead that may serve one another's calls.
 *
 * @param encrypted whether TLS is spoken there
 * @param host to connect to, a name or an address
 * @param serverName that the certificate there has to be for
 * @param way that connections take
 * @param trust whom we believe and what we show
 */
record Origin(
    boolean encrypted, String host, int port, String serverName, EgressType way, Trust trust) {
  /**
   * What makes a TLS context.
   *
   * @param authorities who may have signed the webhook's certificate, in PEM; "" for those of this
   *     machine
   */
  record Trust(String authorities, WebhookCredentials credentials) {}

  static Origin of(WebhookClient client, String host, int port, String addressed, EgressType way) {
    var credentials = client.credentials();
    return new Origin(
        client.address().isEncrypted(),
        host,
        port,
        credentials.serverName().isEmpty() ? addressed : credentials.serverName(),
        way,
        new Trust(client.authorities(), credentials));
  }
}
