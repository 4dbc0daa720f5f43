package dev.muster.authentication.jwt;

import dev.muster.authentication.Audiences;
import dev.muster.authentication.BearerToken;
import dev.muster.authentication.TokenAuthenticator;
import dev.muster.model.validation.FieldError;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates tokens of all issuers in an authentication configuration. Thread-safe. Blocks while
 * it fetches an issuer's keys.
 */
public final class JwtIssuers implements TokenAuthenticator {
  public static final Set<String> ALGORITHMS =
      Set.of("RS256", "RS384", "RS512", "ES256", "ES384", "ES512", "PS256", "PS384", "PS512");

  private static final String GOOGLE = "accounts.google.com";

  private final Map<String, JwtIssuer> issuers;
  private final Audiences audiences;
  private final JwtObserver observer;

  private JwtIssuers(Map<String, JwtIssuer> issuers, Audiences audiences, JwtObserver observer) {
    this.issuers = issuers;
    this.audiences = audiences;
    this.observer = observer;
  }

  /**
   * The server settings that issuers need.
   *
   * @param algorithms the allowed signing algorithms
   * @param serviceAccountIssuers the issuers of service account tokens, which JWT issuers must not
   *     use
   * @param audiences this server's audiences, which every accepted token has
   */
  public record IssuerContext(
      Set<String> algorithms,
      List<String> serviceAccountIssuers,
      Audiences audiences,
      ProviderClient.Factory clients,
      InstantSource clock,
      JwtObserver observer) {}

  /**
   * Creates the issuers of a configuration. {@link #maintain} discovers them.
   *
   * @throws IllegalArgumentException when the configuration is invalid
   */
  public static JwtIssuers of(AuthenticationConfiguration configuration, IssuerContext context) {
    var checked = JwtConfigurationRules.check(configuration, context.serviceAccountIssuers());
    if (!checked.errors().isEmpty()) {
      throw new IllegalArgumentException(FieldError.join(checked.errors()));
    }
    var issuers = new LinkedHashMap<String, JwtIssuer>();
    for (var mapper : checked.issuers()) {
      var issuer = mapper.jwt().issuer();
      var client =
          context.clients().reaching(issuer.certificateAuthority(), issuer.egressSelectorType());
      var keys = new ProviderKeys(issuer, client, context.clock(), context.observer());
      var verifier = new TokenVerifier(issuer.audiences(), context.algorithms(), context.clock());
      var groups = mapper.jwt().claimMappings().groups().claim();
      issuers.put(
          issuer.url(),
          new JwtIssuer(
              mapper,
              keys,
              verifier,
              new DistributedClaims(groups, keys, client, verifier, context.clock())));
    }
    return new JwtIssuers(issuers, context.audiences(), context.observer());
  }

  /** The URLs of the issuers. */
  public Set<String> urls() {
    return issuers.keySet();
  }

  /**
   * Discovers issuers that are not found yet, and refreshes old keys. The server calls this
   * periodically.
   */
  public void maintain(Executor threads) {
    issuers.values().forEach(issuer -> threads.execute(issuer.keys()::maintain));
  }

  /** Discovers all issuers that are not found yet, and returns when every attempt has ended. */
  public void find(Executor threads) {
    CompletableFuture.allOf(
            issuers.values().stream()
                .map(issuer -> CompletableFuture.runAsync(issuer.keys()::maintain, threads))
                .toArray(CompletableFuture[]::new))
        .join();
  }

  /** Why some issuer is not discovered, or "" when all are. */
  public String problem() {
    var problems =
        issuers.values().stream()
            .map(issuer -> issuer.keys().problem())
            .filter(text -> !text.isEmpty())
            .toList();
    return problems.size() == 1 ? problems.getFirst() : String.join(", ", problems);
  }

  @Override
  public @Nullable TokenUser authenticate(BearerToken bearerToken, List<String> wanted) {
    var claims = UnverifiedClaims.of(bearerToken.token());
    if (claims == null) {
      return null;
    }
    var named = claims.string("iss");
    var issuer = issuers.get(named.equals(GOOGLE) ? "https://" + GOOGLE : named);
    if (issuer == null) {
      return null;
    }
    long start = System.nanoTime();
    boolean good = false;
    try {
      var user = issuer.user(bearerToken.token(), claims).authenticated();
      good = true;
      return audiences.limit(user, wanted);
    } finally {
      observer.judged(issuer.url(), good, Duration.ofNanos(System.nanoTime() - start));
    }
  }
}
