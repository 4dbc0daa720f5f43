package dev.muster.authentication.jwt;

import dev.muster.authentication.RefusedCredentials;
import dev.muster.model.User;
import dev.muster.model.json.JsonObject;

/** One JWT issuer, which maps its tokens to users. Thread-safe. Blocks while it fetches keys. */
final class JwtIssuer {
  private final ClaimMapper mapper;
  private final ProviderKeys keys;
  private final TokenVerifier verifier;
  private final DistributedClaims distributed;

  JwtIssuer(
      ClaimMapper mapper,
      ProviderKeys keys,
      TokenVerifier verifier,
      DistributedClaims distributed) {
    this.mapper = mapper;
    this.keys = keys;
    this.verifier = verifier;
    this.distributed = distributed;
  }

  String url() {
    return mapper.jwt().issuer().url();
  }

  ProviderKeys keys() {
    return keys;
  }

  /**
   * The user.
   *
   * @param claims the unverified claims of the token
   * @throws RefusedCredentials when the token is invalid in any way
   */
  User user(String token, JsonObject claims) {
    if (!keys.isFound()) {
      throw new RefusedCredentials("oidc: authenticator not initialized");
    }
    try {
      verifier.verify(token, claims, keys);
    } catch (RefusedCredentials e) {
      throw new RefusedCredentials("oidc: verify token: " + e.why());
    }
    return mapper.user(distributed.expand(claims));
  }
}
