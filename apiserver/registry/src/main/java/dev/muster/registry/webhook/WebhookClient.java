package dev.muster.registry.webhook;

import dev.muster.model.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * A webhook as its configuration describes it. Equal descriptions share connections.
 *
 * @param name of the webhook, which also counts its calls under way
 * @param authorities who may have signed its certificate, in PEM; "" for those of this machine
 * @param credentials what it is shown
 */
public record WebhookClient(
    String name, WebhookAddress address, String authorities, WebhookCredentials credentials) {
  /** One to which nothing is shown. */
  public WebhookClient(String name, WebhookAddress address, String authorities) {
    this(name, address, authorities, WebhookCredentials.NONE);
  }

  /**
   * Reads the {@code clientConfig} of a webhook or of a conversion.
   *
   * @throws WebhookException when it cannot be used
   */
  public static WebhookClient of(String name, JsonObject clientConfig) throws WebhookException {
    return new WebhookClient(
        name, WebhookAddress.of(clientConfig), authorities(clientConfig.string("caBundle")));
  }

  /** A client of this webhook that shows other credentials. */
  public WebhookClient showing(WebhookCredentials other) {
    return new WebhookClient(name, address, authorities, other);
  }

  /** A bundle of nothing but blanks is none. */
  private static String authorities(String bundle) throws WebhookException {
    try {
      var pem = new String(Base64.getDecoder().decode(bundle), StandardCharsets.ISO_8859_1);
      return pem.isBlank() ? "" : pem;
    } catch (IllegalArgumentException e) {
      throw new WebhookException("unable to load root certificates: not base64");
    }
  }
}
