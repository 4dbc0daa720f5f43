package dev.muster.registry.webhook;

/**
 * What the server shows of itself to a webhook that its operator has configured; nothing to those
 * that users have.
 *
 * @param certificates in PEM, "" for none
 * @param privateKey of the first certificate, in PEM
 * @param authorization the header, "" for none
 */
public record WebhookIdentity(String certificates, String privateKey, String authorization) {
  public static final WebhookIdentity NONE = new WebhookIdentity("", "", "");

  /** Never the key or the token. */
  @Override
  public String toString() {
    return equals(NONE) ? "no identity" : "an identity";
  }
}
