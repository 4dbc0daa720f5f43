package dev.muster.store;

/**
 * How the store keeps a value: unencrypted, encrypted, or encrypted and not readable here.
 *
 * @param by which key encrypted the value, in a form that only the decrypting store interprets; ""
 *     when the value is not encrypted
 * @param trouble why decryption failed, for the operator of the server; "" when it did not fail
 */
public record EncryptionState(String by, String trouble) {
  /** Not encrypted. */
  public static final EncryptionState NONE = new EncryptionState("", "");

  /** A value that this server cannot decrypt. The store passes it on in its encrypted form. */
  public static EncryptionState closed(String trouble) {
    return new EncryptionState("", trouble);
  }

  public boolean isClosed() {
    return !trouble.isEmpty();
  }
}
