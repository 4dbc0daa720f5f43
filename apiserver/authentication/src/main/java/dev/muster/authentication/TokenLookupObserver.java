package dev.muster.authentication;

/** Is told of questions about tokens, on whatever thread; must not block. */
public interface TokenLookupObserver {
  TokenLookupObserver NONE = new TokenLookupObserver() {};

  /**
   * Somebody has an answer.
   *
   * @param remembered whether nobody had to be asked for it
   */
  default void answered(boolean remembered, long nanos) {}

  /** Somebody waits for the answer to another's question, or does so no longer. */
  default void waiting(boolean begins) {}

  /** The authenticator is asked. */
  default void asking() {}

  /**
   * The authenticator has been asked.
   *
   * @param answered whether it had an answer, be it that it knows nobody
   */
  default void asked(boolean answered) {}
}
