package dev.muster.server.start;

import dev.muster.authorization.Authorizer;
import dev.muster.authorization.RuleResolver;
import dev.muster.authorization.abac.AbacAuthorizer;
import dev.muster.authorization.bootstrap.BootstrapObjects;
import dev.muster.authorization.modes.AuthorizationConfiguration;
import dev.muster.authorization.modes.AuthorizationConfiguration.Entry;
import dev.muster.authorization.modes.AuthorizationConfiguration.FailurePolicy;
import dev.muster.authorization.modes.AuthorizationConfiguration.Webhook;
import dev.muster.authorization.modes.AuthorizationObserver;
import dev.muster.authorization.modes.AuthorizerType;
import dev.muster.authorization.modes.ConfigurationFile;
import dev.muster.authorization.modes.ConfiguredAuthorizers;
import dev.muster.authorization.modes.ReloadedAuthorizer;
import dev.muster.authorization.node.NodeAuthorizer;
import dev.muster.authorization.rbac.RbacAuthorizer;
import dev.muster.model.FileProblems;
import dev.muster.registry.webhook.WebhookTransport;
import dev.muster.replica.Replica;
import dev.muster.server.options.AuthorizationOptions;
import dev.muster.types.SnapshotView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Authorization, built from the options.
 *
 * @param types the types of all authorizers except webhooks, which can change while the server runs
 * @param reloaded null when no configuration file is followed
 */
public record AuthorizationWiring(
    Authorizer authorizer,
    RuleResolver rules,
    RbacAuthorizer rbac,
    List<AuthorizerType> types,
    @Nullable ReloadedAuthorizer reloaded) {
  /** The timeout of a webhook that flags configure, as in kube-apiserver. */
  private static final Duration WEBHOOK_TIMEOUT = Duration.ofSeconds(30);

  /**
   * @throws IllegalArgumentException when a file cannot be used
   */
  static AuthorizationWiring of(
      AuthorizationOptions options,
      Replica replica,
      WebhookTransport webhooks,
      InstantSource clock,
      AuthorizationObserver observer) {
    var file = options.configFile();
    var text = file == null ? new byte[0] : read(file);
    var configuration = file == null ? configuration(options) : ConfigurationFile.parse(text);
    Supplier<SnapshotView> views = () -> new SnapshotView(replica.current());
    var rbac = new RbacAuthorizer(views);
    var lasting = new EnumMap<AuthorizerType, Authorizer>(AuthorizerType.class);
    var types = new ArrayList<AuthorizerType>();
    for (var entry : configuration.authorizers()) {
      types.add(entry.type());
      switch (entry.type()) {
        case NODE ->
            lasting.put(
                AuthorizerType.NODE, new NodeAuthorizer(views, BootstrapObjects.nodeRules()));
        case RBAC -> lasting.put(AuthorizerType.RBAC, rbac);
        case ABAC -> lasting.put(AuthorizerType.ABAC, abac(options.policyFile()));
        case ALWAYS_ALLOW, ALWAYS_DENY, WEBHOOK -> {}
      }
    }
    var authorizers =
        new ConfiguredAuthorizers(
            lasting, webhooks, views, RandomGenerator.getDefault(), clock, observer);
    if (file == null) {
      var chain = authorizers.chain(configuration);
      return new AuthorizationWiring(chain, chain, rbac, types, null);
    }
    var reloaded = new ReloadedAuthorizer(file, text, authorizers);
    return new AuthorizationWiring(reloaded, reloaded, rbac, types, reloaded);
  }

  /** Whether any authorization decision depends on the user. */
  boolean asksWho() {
    return !types.contains(AuthorizerType.ALWAYS_ALLOW);
  }

  private static AbacAuthorizer abac(@Nullable Path file) {
    if (file == null) {
      throw new IllegalArgumentException(
          "authorization-mode ABAC's authorization policy file not passed");
    }
    return AbacAuthorizer.read(file);
  }

  private static byte[] read(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "--authorization-config: " + FileProblems.text(file, e), e);
    }
  }

  /** The flags as an authorization configuration. */
  private static AuthorizationConfiguration configuration(AuthorizationOptions options) {
    var entries = new ArrayList<Entry>();
    for (var type : options.modes()) {
      entries.add(
          new Entry(
              type, type.usualName(), type == AuthorizerType.WEBHOOK ? webhook(options) : null));
    }
    return new AuthorizationConfiguration(entries);
  }

  private static Webhook webhook(AuthorizationOptions options) {
    return new Webhook(
        WEBHOOK_TIMEOUT,
        options.authorizedTtl(),
        options.unauthorizedTtl(),
        options.webhookVersion(),
        FailurePolicy.NO_OPINION,
        Objects.requireNonNull(options.webhookConfigFile()),
        List.of());
  }
}
