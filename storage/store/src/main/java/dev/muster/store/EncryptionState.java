package dev.muster.store;

/**
 * How a value stands in the store: in the clear, or sealed by somebody.
 *
 * @param by who sealed it, in words that only the store understands that opened it; "" in the clear
 * @param trouble why it could not be opened, in words for whoever runs the server; "" when it could
 */
public record EncryptionState(String by, String trouble) {
  /** In the clear. */
  public static final EncryptionState NONE = new EncryptionState("", "");

  /** A value that nobody here can open: it is handed on as it is stored. */
  public static EncryptionState closed(String trouble) {
    return new EncryptionState("", trouble);
  }

  public boolean isClosed() {
    return !trouble.isEmpty();
  }
}
