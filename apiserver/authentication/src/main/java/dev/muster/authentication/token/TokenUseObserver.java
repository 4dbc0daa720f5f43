package dev.muster.authentication.token;

/**
 * Receives every use of a service account token, for metrics. Event loops call it: it must not
 * block.
 */
public interface TokenUseObserver {
  TokenUseObserver NONE = new TokenUseObserver() {};

  /**
   * A token with an extended lifetime was used.
   *
   * @param stale whether it should have been renewed by now
   */
  default void projected(boolean stale) {}

  /**
   * A token from a secret was used.
   *
   * @param generated whether the secret was generated for its account, as Kubernetes once did for
   *     all
   */
  default void legacy(boolean generated) {}

  /** A token from a secret that marks its token as invalid was used. */
  default void invalidated() {}
}
