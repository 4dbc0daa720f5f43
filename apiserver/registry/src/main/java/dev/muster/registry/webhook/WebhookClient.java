package dev.muster.registry.webhook;

import dev.muster.model.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * The connection settings of a webhook. Equal settings share connections.
 *
 * @param name the name of the webhook, by which its concurrent calls are limited
 * @param authorities the CA bundle for its certificate, in PEM; "" for the system's CAs
 * @param credentials the credentials to send
 */
public record WebhookClient(
    String name, WebhookAddress address, String authorities, WebhookCredentials credentials) {
  /** A client without credentials. */
  public WebhookClient(String name, WebhookAddress address, String authorities) {
    this(name, address, authorities, WebhookCredentials.NONE);
  }

  /**
   * Reads the {@code clientConfig} of a webhook or of a conversion.
   *
   * @throws WebhookException when it is invalid
   */
  public static WebhookClient of(String name, JsonObject clientConfig) throws WebhookException {
    return new WebhookClient(
        name, WebhookAddress.of(clientConfig), authorities(clientConfig.string("caBundle")));
  }

  /** A client of this webhook with other credentials. */
  public WebhookClient showing(WebhookCredentials other) {
    return new WebhookClient(name, address, authorities, other);
  }

  /** A CA bundle of only whitespace counts as none. */
  private static String authorities(String bundle) throws WebhookException {
    try {
      var pem = new String(Base64.getDecoder().decode(bundle), StandardCharsets.ISO_8859_1);
      return pem.isBlank() ? "" : pem;
    } catch (IllegalArgumentException e) {
      throw new WebhookException("unable to load root certificates: not base64");
    }
  }
}
