package dev.muster.server.webhook;

import dev.muster.registry.webhook.WebhookClient;
import dev.muster.registry.webhook.WebhookCredentials;
import dev.muster.server.egress.EgressType;

/**
 * The destination of connections that calls may share.
 *
 * @param encrypted whether it uses TLS
 * @param host to connect to, a name or an address
 * @param serverName that its certificate must have
 * @param way the egress type of its connections
 * @param trust the CAs and credentials of its connections
 */
record Origin(
    boolean encrypted, String host, int port, String serverName, EgressType way, Trust trust) {
  /**
   * The inputs of a TLS context.
   *
   * @param authorities the CAs of the webhook's certificate, in PEM; "" for those of this machine
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
