package dev.muster.server.start;

import dev.muster.admission.AdmissionChain;
import dev.muster.admission.AdmissionPlugin;
import dev.muster.admission.config.AdmissionConfiguration;
import dev.muster.admission.manifest.ManifestPlugin;
import dev.muster.admission.manifest.ManifestSources;
import dev.muster.admission.manifest.ReservedNames;
import dev.muster.admission.manifest.StaticManifests;
import dev.muster.admission.permissions.ClaimStatusAccess;
import dev.muster.admission.permissions.ParameterAccess;
import dev.muster.admission.pods.PrivilegedContainers;
import dev.muster.authentication.ClientCertificates;
import dev.muster.authentication.RequestAuthenticator;
import dev.muster.authentication.RequestHeaderAuthenticator;
import dev.muster.authentication.token.ServiceAccountTokens;
import dev.muster.authentication.token.TokenRequests;
import dev.muster.authorization.Authorizer;
import dev.muster.authorization.impersonation.Impersonation;
import dev.muster.authorization.modes.AuthorizationObserver;
import dev.muster.authorization.modes.AuthorizerType;
import dev.muster.authorization.rbac.Escalation;
import dev.muster.authorization.review.Reviews;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionObserver;
import dev.muster.server.options.ApiServerOptions;
import dev.muster.server.options.authentication.RequestHeaderOptions;
import dev.muster.types.Types;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Authentication, authorization and admission, built from the options.
 *
 * @param clients null when no client CA is configured
 * @param frontProxy null when no front proxy is configured
 */
public record AccessWiring(
    @Nullable ClientCertificates clients,
    @Nullable RequestHeaderAuthenticator frontProxy,
    RequestAuthenticator authenticator,
    AuthorizationWiring authorization,
    Impersonation impersonation,
    Reviews reviews,
    ServiceAccountTokens tokens,
    TokenRequests tokenRequests,
    Admission admission,
    ManifestSources manifests,
    AuthenticationWiring authentication) {
  private static final String MANIFESTS_GATE = "ManifestBasedAdmissionControlConfig";

  /**
   * The parts of the server that admission uses.
   *
   * @param observer records how long plugins take
   * @param namespaces creates a namespace of that name
   * @param types the built-in types
   * @param manifests observes the loading of manifest files with webhooks and policies
   * @param more further plugins, which run before the quota is charged
   */
  public record AdmissionContext(
      AdmissionObserver observer,
      Consumer<String> namespaces,
      Types types,
      StaticManifests.Observer manifests,
      Function<Authorizer, List<Admission>> more) {}

  /**
   * @param decisions records authorization decisions
   */
  public static AccessWiring of(
      ApiServerOptions options,
      AccessContext context,
      AdmissionContext around,
      AuthorizationObserver decisions) {
    var clock = context.clock();
    var authorization =
        AuthorizationWiring.of(
            options.authorization(), context.replica(), context.webhooks(), clock, decisions);
    var authorizer = authorization.authorizer();
    var authentication = options.authentication();
    var accounts = options.serviceAccounts();
    var clientCa = authentication.clientCaFile();
    var clients = clientCa == null ? null : ClientCertificates.of(clientCa, clock);
    var identities = AuthenticationWiring.of(options, context, authorization.asksWho());
    var configurationFile = options.admission().configurationFile();
    var configuration =
        configurationFile == null
            ? AdmissionConfiguration.NONE
            : AdmissionConfiguration.read(configurationFile);
    var manifests = manifests(configuration, options, around);
    var authenticator = identities.authenticator();
    var tokens = identities.tokens();
    return new AccessWiring(
        clients,
        frontProxy(authentication.requestHeaders(), clock),
        authenticator,
        authorization,
        new Impersonation(authorizer),
        new Reviews(
            authenticator, authorizer, authorization.rules(), identities.audiences(), clock),
        tokens,
        new TokenRequests(
            tokens,
            accounts.maxTokenExpiration(),
            accounts.extendTokenExpiration(),
            clock,
            RandomGenerator.getDefault()),
        admission(options, authorization, context, around, configuration, manifests),
        manifests,
        identities);
  }

  private static @Nullable RequestHeaderAuthenticator frontProxy(
      RequestHeaderOptions options, Clock clock) {
    var authorities = options.clientCaFile();
    return authorities == null
        ? null
        : new RequestHeaderAuthenticator(
            ClientCertificates.of(authorities, clock),
            options.allowedNames(),
            options.usernameHeaders(),
            options.uidHeaders(),
            options.groupHeaders(),
            options.extraHeaderPrefixes());
  }

  /** The CAs whose names the TLS handshake offers to clients. */
  public List<X509Certificate> authorities() {
    var all = new ArrayList<X509Certificate>();
    if (clients != null) {
      all.addAll(clients.roots());
    }
    if (frontProxy != null) {
      all.addAll(frontProxy.certificates().roots());
    }
    return all;
  }

  public Authorizer authorizer() {
    return authorization.authorizer();
  }

  /** Reloads the configuration of token issuers and their keys. Blocks. */
  public void refreshIssuers() {
    var jwt = authentication.jwt();
    if (jwt != null) {
      jwt.refresh();
    }
  }

  /**
   * Reloads CA, key, authorizer and manifest files that have changed. The server calls it
   * periodically.
   */
  public void refresh() {
    authentication.refresh();
    manifests.refresh();
    var reloaded = authorization.reloaded();
    if (reloaded != null) {
      reloaded.refresh();
    }
    if (clients != null) {
      clients.refresh();
    }
    if (frontProxy != null) {
      frontProxy.certificates().refresh();
    }
  }

  private static ManifestSources manifests(
      AdmissionConfiguration configuration, ApiServerOptions options, AdmissionContext around) {
    var sources = new EnumMap<ManifestPlugin, StaticManifests>(ManifestPlugin.class);
    configuration
        .manifestFolders(options.api().enabled(MANIFESTS_GATE, false))
        .forEach(
            (plugin, folder) ->
                sources.put(
                    plugin,
                    new StaticManifests(plugin, folder, around.types(), around.manifests())));
    return new ManifestSources(sources);
  }

  private static Admission admission(
      ApiServerOptions options,
      AuthorizationWiring authorization,
      AccessContext context,
      AdmissionContext around,
      AdmissionConfiguration configuration,
      ManifestSources manifests) {
    var authorizer = authorization.authorizer();
    var last = new ArrayList<>(around.more().apply(authorizer));
    if (authorization.types().contains(AuthorizerType.RBAC)) {
      last.add(new Escalation(authorizer, authorization.rbac()));
    }
    last.add(new ParameterAccess(authorizer));
    last.add(new ClaimStatusAccess(authorizer));
    if (options.api().enabled(MANIFESTS_GATE, false)) {
      last.add(new ReservedNames());
    }
    var plugins =
        AdmissionChain.of(
            options.admission().enabled(),
            options.admission().disabled(),
            new AdmissionPlugin.PluginContext(
                authorizer,
                context.clock(),
                RandomGenerator.getDefault(),
                configuration,
                manifests,
                around.observer(),
                context.webhooks(),
                () -> UUID.randomUUID().toString(),
                around.namespaces(),
                options.admission().notReadySeconds(),
                options.admission().unreachableSeconds()),
            last);
    return options.nodes().allowPrivileged()
        ? plugins
        : new AdmissionChain(List.of(new PrivilegedContainers(), plugins));
  }
}
