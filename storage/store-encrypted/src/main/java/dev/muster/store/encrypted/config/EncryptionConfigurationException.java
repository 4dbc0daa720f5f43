package dev.muster.store.encrypted.config;

/** Why an EncryptionConfiguration cannot be used; never with anything of a key. */
public final class EncryptionConfigurationException extends Exception {
  public EncryptionConfigurationException(String message) {
    super(message);
  }

  /** The reason in words. */
  public String text() {
    return String.valueOf(getMessage());
  }
}
