package dev.muster.authentication.jwt;

import dev.muster.authentication.RefusedCredentials;
import dev.muster.authentication.jwt.AuthenticationConfiguration.Issuer;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Resolves distributed group claims (OpenID Connect Core 1.0, 5.6.2). Such a token names an HTTPS
 * endpoint that holds the groups; the endpoint answers with another token, whose issuer must be
 * discovered. Thread-safe. Blocks during requests.
 */
final class DistributedClaims {
  private static final String NAMES = "_claim_names";
  private static final String SOURCES = "_claim_sources";
  private static final String HTTPS = "https://";

  /** Tokens choose these issuers, so only a few are cached. */
  private static final int MOST_ISSUERS = 16;

  /** The shortest time between two discovery attempts for an issuer that was not found. */
  private static final long PAUSE_MILLIS = 10_000;

  private final String claim;
  private final ProviderKeys own;
  private final ProviderClient client;
  private final TokenVerifier verifier;
  private final InstantSource clock;
  private final Map<String, Found> others =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Found> eldest) {
          return size() > MOST_ISSUERS;
        }
      };

  /**
   * @param tried the time of the last discovery attempt, in epoch milliseconds
   */
  private record Found(ProviderKeys keys, long tried) {}

  /**
   * @param claim the name of the groups claim; "" when there is none
   * @param own the keys of the token's issuer, which may sign these answers as well
   */
  DistributedClaims(
      String claim,
      ProviderKeys own,
      ProviderClient client,
      TokenVerifier verifier,
      InstantSource clock) {
    this.claim = claim;
    this.own = own;
    this.client = client;
    this.verifier = verifier;
    this.clock = clock;
  }

  /**
   * The claims, with distributed groups replaced by their values.
   *
   * @param claims of a verified token
   * @throws RefusedCredentials when the groups cannot be fetched; the token is then refused
   */
  JsonObject expand(JsonObject claims) {
    if (claim.isEmpty() || claims.has(claim) || !claims.has(NAMES)) {
      return claims;
    }
    try {
      var endpoint = endpoint(claims);
      return endpoint == null ? claims : claims.with(claim, value(endpoint));
    } catch (RefusedCredentials e) {
      throw new RefusedCredentials("oidc: could not expand distributed claims: " + e.why());
    }
  }

  private record Endpoint(String url, String accessToken) {}

  /** The endpoint that holds the groups; null when the token names none. */
  private @Nullable Endpoint endpoint(JsonObject claims) {
    var names = texts(claims.get(NAMES), "oidc: error parsing distributed claim names");
    if (!claims.has(SOURCES)) {
      throw new RefusedCredentials("oidc: no claim sources");
    }
    if (!(claims.get(SOURCES) instanceof JsonObject sources)) {
      throw new RefusedCredentials("oidc: could not parse claim sources: no object");
    }
    for (var name : sources.keys()) {
      texts(sources.get(name), "oidc: could not parse claim sources");
    }
    if (!names.has(claim)) {
      return null;
    }
    var source = names.string(claim);
    if (!sources.has(source)) {
      throw new RefusedCredentials(
          "id token _claim_names contained a source " + source + " missing in _claims_sources");
    }
    var named = sources.object(source);
    // A source without an endpoint may hold the claim itself; it is ignored, as upstream does.
    return named.string("endpoint").isEmpty()
        ? null
        : new Endpoint(named.string("endpoint"), named.string("access_token"));
  }

  /** An object whose values are all texts. */
  private static JsonObject texts(@Nullable Json value, String problem) {
    if (!(value instanceof JsonObject object)) {
      throw new RefusedCredentials(problem + ": no object");
    }
    for (int i = 0; i < object.size(); i++) {
      if (!(object.value(i) instanceof JsonString)) {
        throw new RefusedCredentials(problem + ": " + object.key(i) + " is no text");
      }
    }
    return object;
  }

  private Json value(Endpoint endpoint) {
    var token = fetched(endpoint);
    var claims = UnverifiedClaims.of(token);
    if (claims == null) {
      throw new RefusedCredentials(
          "getting untrusted issuer from endpoint %s failed for claim %s: malformed token"
              .formatted(endpoint.url(), GoText.quote(claim)));
    }
    var keys = keys(claims.string("iss"));
    try {
      verifier.verify(token, claims, keys);
    } catch (RefusedCredentials e) {
      throw new RefusedCredentials("verify distributed claim token: " + e.why());
    }
    var value = claims.get(claim);
    if (value == null) {
      throw new RefusedCredentials(
          "jwt returned by distributed claim endpoint %s did not contain claim: %s"
              .formatted(GoText.quote(endpoint.url()), claim));
    }
    return value;
  }

  private String fetched(Endpoint endpoint) {
    try {
      if (!endpoint.url().startsWith(HTTPS)) {
        throw new IOException("the endpoint is no https URL");
      }
      if (endpoint.accessToken().chars().anyMatch(c -> c <= ' ' || c > '~')) {
        throw new IOException("the access token cannot stand in a header");
      }
      var response = client.get(endpoint.url(), endpoint.accessToken());
      if (response.status() / 100 != 2) {
        throw new IOException("error while getting distributed claim JWT: " + response.status());
      }
      return new String(response.body(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new RefusedCredentials(
          "while getting distributed claim " + GoText.quote(claim) + ": " + e.getMessage());
    }
  }

  /** The keys of the issuer that the answer claims to be signed by. */
  private ProviderKeys keys(String issuer) {
    if (own.isOf(issuer)) {
      return own;
    }
    if (!issuer.startsWith(HTTPS)) {
      throw new RefusedCredentials(
          "verifying untrusted issuer " + issuer + " failed: it is no https URL");
    }
    var found = found(issuer);
    if (!found.isFound()) {
      throw new RefusedCredentials(
          "verifying untrusted issuer %s failed: verifier not initialized for issuer: %s"
              .formatted(issuer, GoText.quote(issuer)));
    }
    return found;
  }

  private ProviderKeys found(String issuer) {
    Found known;
    synchronized (others) {
      known = others.get(issuer);
      if (known != null
          && (known.keys().isFound() || clock.millis() - known.tried() < PAUSE_MILLIS)) {
        return known.keys();
      }
      var named = new Issuer(issuer, "", "", List.of(), "", "");
      var keys =
          known == null ? new ProviderKeys(named, client, clock, JwtObserver.NONE) : known.keys();
      known = new Found(keys, clock.millis());
      others.put(issuer, known);
    }
    known.keys().maintain();
    return known.keys();
  }
}
