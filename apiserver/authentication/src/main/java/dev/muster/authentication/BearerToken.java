package dev.muster.authentication;

import org.jspecify.annotations.Nullable;

/** A bearer token with its hash, which is computed on first use. Immutable and thread-safe. */
public final class BearerToken {
  private final String token;
  private @Nullable TokenHash hash;

  public BearerToken(String token) {
    this.token = token;
  }

  public String token() {
    return token;
  }

  /** Two threads may both compute the hash; the result is the same. */
  public TokenHash hash() {
    var known = hash;
    if (known == null) {
      known = TokenHash.of(token);
      hash = known;
    }
    return known;
  }

  /** Never contains the token. */
  @Override
  public String toString() {
    return "a token";
  }
}
