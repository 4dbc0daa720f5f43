package dev.muster.authentication;

/** Receives events about token lookups, for metrics. Any thread may call it; it must not block. */
public interface TokenLookupObserver {
  TokenLookupObserver NONE = new TokenLookupObserver() {};

  /**
   * A lookup has an answer.
   *
   * @param remembered whether the answer came from the cache
   */
  default void answered(boolean remembered, long nanos) {}

  /** A lookup begins or ends to wait for a question that another lookup has asked. */
  default void waiting(boolean begins) {}

  /** A question is sent to the authenticator. */
  default void asking() {}

  /**
   * The authenticator has finished a question.
   *
   * @param answered whether it answered, which includes that it does not know the token
   */
  default void asked(boolean answered) {}
}
