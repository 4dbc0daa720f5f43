package dev.muster.authentication.token;

/**
 * Is told how tokens of service accounts are used, at every use. Called on event loops: must not
 * block.
 */
public interface TokenUseObserver {
  TokenUseObserver NONE = new TokenUseObserver() {};

  /**
   * A token that is good for longer than its holder should keep it.
   *
   * @param stale whether it should have been renewed by now
   */
  default void projected(boolean stale) {}

  /**
   * A token that lives in a secret.
   *
   * @param generated whether the secret was made for its account, as once for every one
   */
  default void legacy(boolean generated) {}

  /** A token that lives in a secret which says that it does not count any more. */
  default void invalidated() {}
}
