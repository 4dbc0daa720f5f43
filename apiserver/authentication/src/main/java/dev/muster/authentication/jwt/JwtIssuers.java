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
 * Users by tokens of the issuers of one configuration. Safe for any thread; blocks while an
 * issuer's keys are fetched.
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
   * What issuers need of the server around them.
   *
   * @param algorithms with which tokens may be signed
   * @param serviceAccountIssuers whose tokens nobody else may sign
   * @param audiences of this server, for which every token of an issuer is good
   */
  public record IssuerContext(
      Set<String> algorithms,
      List<String> serviceAccountIssuers,
      Audiences audiences,
      ProviderClient.Factory clients,
      InstantSource clock,
      JwtObserver observer) {}

  /**
   * The issuers of a configuration; {@link #maintain} finds them.
   *
   * @throws IllegalArgumentException when something is wrong with the configuration
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

  /** Looks for issuers that are not found yet, and for keys that are old. Called now and then. */
  public void maintain(Executor threads) {
    issuers.values().forEach(issuer -> threads.execute(issuer.keys()::maintain));
  }

  /** Looks for all issuers that are not found yet, and returns when that is done. */
  public void find(Executor threads) {
    CompletableFuture.allOf(
            issuers.values().stream()
                .map(issuer -> CompletableFuture.runAsync(issuer.keys()::maintain, threads))
                .toArray(CompletableFuture[]::new))
        .join();
  }

  /** Why not all issuers are found, or "". */
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
