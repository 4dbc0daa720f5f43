package dev.muster.store.encrypted.config;

/** Why an EncryptionConfiguration cannot be used. The message never contains any part of a key. */
public final class EncryptionConfigurationException extends Exception {
  public EncryptionConfigurationException(String message) {
    super(message);
  }

  /** The message, never null. */
  public String text() {
    return String.valueOf(getMessage());
  }
}
