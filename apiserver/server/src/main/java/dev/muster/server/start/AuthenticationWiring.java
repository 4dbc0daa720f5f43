package dev.muster.server.start;

import dev.muster.authentication.AnonymousRequests;
import dev.muster.authentication.Audiences;
import dev.muster.authentication.RequestAuthenticator;
import dev.muster.authentication.StaticTokens;
import dev.muster.authentication.TokenAuthenticator;
import dev.muster.authentication.TokenLookups;
import dev.muster.authentication.jwt.JwtIssuers;
import dev.muster.authentication.token.BootstrapTokenUsers;
import dev.muster.authentication.token.ServiceAccountTokens;
import dev.muster.authentication.token.TokenKeyFiles;
import dev.muster.authentication.token.TokenKeys;
import dev.muster.authentication.webhook.KubeconfigClient;
import dev.muster.authentication.webhook.TokenReviewWebhook;
import dev.muster.pki.PkiFolder;
import dev.muster.server.authentication.HttpsProviders;
import dev.muster.server.authentication.JwtConfiguration;
import dev.muster.server.authentication.JwtMetrics;
import dev.muster.server.authentication.OidcFlags;
import dev.muster.server.authentication.ReloadMetrics;
import dev.muster.server.metrics.TokenMetrics;
import dev.muster.server.options.ApiServerOptions;
import dev.muster.server.options.ServiceAccountOptions;
import dev.muster.server.options.authentication.TokenWebhookOptions;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Authentication, built from the options, with the token authenticators in the order in which they
 * run.
 *
 * @param audiences the API audiences of this server
 * @param keyFiles null when the server has generated its own key
 * @param jwt null when no issuer is configured
 */
record AuthenticationWiring(
    RequestAuthenticator authenticator,
    ServiceAccountTokens tokens,
    List<String> audiences,
    @Nullable TokenKeyFiles keyFiles,
    @Nullable JwtConfiguration jwt) {
  /** How long kube-apiserver caches the result for a token. */
  private static final Duration REMEMBERED = Duration.ofSeconds(10);

  /**
   * @param asksWho whether authorization depends on the user
   */
  static AuthenticationWiring of(ApiServerOptions options, AccessContext context, boolean asksWho) {
    var authentication = options.authentication();
    var accounts = options.serviceAccounts();
    var issuers =
        accounts.issuers().isEmpty()
            ? List.of(ServiceAccountOptions.DEFAULT_ISSUER)
            : accounts.issuers();
    var audiences = authentication.audiences().isEmpty() ? issuers : authentication.audiences();
    var signing = accounts.signingKeyFile();
    var keyFiles = signing == null ? null : TokenKeyFiles.of(signing, accounts.keyFiles());
    var counts = new TokenMetrics(context.metrics());
    var tokens =
        new ServiceAccountTokens(
            keyFiles == null ? ownKeys(options, context.clock()) : keyFiles,
            issuers,
            audiences,
            context.views(),
            context.clock(),
            context.legacyUses(),
            counts);
    var known = new ArrayList<TokenAuthenticator>();
    var tokenFile = authentication.tokenFile();
    if (tokenFile != null) {
      known.add(StaticTokens.of(tokenFile, audiences));
    }
    known.add(tokens);
    if (authentication.bootstrapTokens()) {
      known.add(
          new BootstrapTokenUsers(new Audiences(audiences), context.views(), context.clock()));
    }
    var lookups = new ArrayList<TokenLookups>();
    var jwt = jwt(options, issuers, audiences, context);
    if (jwt != null) {
      var times = new TokenLookups.Times(REMEMBERED, Duration.ZERO);
      var lookup = new TokenLookups(jwt, times, context.clock(), context.threads(), counts);
      jwt.onChange(lookup::forget);
      lookups.add(lookup);
    }
    if (authentication.webhook().configFile() != null) {
      lookups.add(webhook(authentication.webhook(), audiences, context, counts));
    }
    var anonymous = AnonymousRequests.of(OpenAccessWarning.acceptsAnonymous(options, asksWho));
    var authenticator =
        new RequestAuthenticator(
            known, lookups, jwt == null ? anonymous : jwt.anonymous(anonymous));
    return new AuthenticationWiring(authenticator, tokens, audiences, keyFiles, jwt);
  }

  /** A key that the server generates and stores beside its certificate. */
  private static Supplier<TokenKeys> ownKeys(ApiServerOptions options, Clock clock) {
    var folder = PkiFolder.open(options.tls().certificateFolder(), clock);
    var keys = new TokenKeys(folder.tokenKey(), List.of());
    return () -> keys;
  }

  private static @Nullable JwtConfiguration jwt(
      ApiServerOptions options,
      List<String> issuers,
      List<String> audiences,
      AccessContext context) {
    var authentication = options.authentication();
    var file = authentication.configurationFile();
    if (file == null && !authentication.oidc().isGiven()) {
      return null;
    }
    var server = hostName();
    var issuing =
        new JwtIssuers.IssuerContext(
            file == null
                ? Set.copyOf(authentication.oidc().signingAlgorithms())
                : JwtIssuers.ALGORITHMS,
            issuers,
            new Audiences(audiences),
            new HttpsProviders(context.threads(), context.issuers()),
            context.clock(),
            new JwtMetrics(context.metrics(), context.clock(), server));
    var reloads = new ReloadMetrics(context.metrics(), context.clock(), server);
    return file == null
        ? JwtConfiguration.of(
            OidcFlags.configuration(authentication.oidc()), issuing, context.threads(), reloads)
        : JwtConfiguration.of(file, issuing, context.threads(), reloads);
  }

  /** The server's name in metrics. */
  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }

  private static TokenLookups webhook(
      TokenWebhookOptions options,
      List<String> audiences,
      AccessContext context,
      TokenMetrics counts) {
    var file = options.configFile();
    if (file == null) {
      throw new IllegalArgumentException("no token webhook is configured");
    }
    try {
      var client = KubeconfigClient.of(file, "the token webhook", context.clock());
      var asked =
          new TokenReviewWebhook(
              client::now,
              options.version(),
              audiences,
              context.webhooks(),
              context.views(),
              RandomGenerator.getDefault(),
              Thread::sleep);
      var times = new TokenLookups.Times(options.cacheTtl(), options.cacheTtl());
      return new TokenLookups(asked, times, context.clock(), context.threads(), counts);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "--authentication-token-webhook-config-file: " + e.getMessage(), e);
    }
  }

  /** Reloads key files that have changed. The server calls it periodically. */
  void refresh() {
    if (keyFiles != null) {
      keyFiles.refresh();
    }
  }
}
