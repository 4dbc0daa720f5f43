package dev.muster.authorization.modes;

import dev.muster.authentication.webhook.KubeconfigClient;
import dev.muster.authorization.Authorizer;
import dev.muster.registry.webhook.WebhookRetries;
import dev.muster.registry.webhook.WebhookTransport;
import dev.muster.types.ClusterView;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Map;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Creates the authorizer chain of a configuration. Thread-safe.
 *
 * @param lasting the authorizers that live as long as the server, by type. A configuration that is
 *     reloaded may remove them from the chain or use them again, but cannot add new ones.
 */
public record ConfiguredAuthorizers(
    Map<AuthorizerType, Authorizer> lasting,
    WebhookTransport transport,
    Supplier<? extends ClusterView> views,
    RandomGenerator random,
    InstantSource clock,
    AuthorizationObserver observer) {
  public ConfiguredAuthorizers {
    lasting = Map.copyOf(lasting);
  }

  /**
   * @throws IllegalArgumentException when a webhook's file cannot be used, or a type was not there
   *     when the server started
   */
  public AuthorizerChain chain(AuthorizationConfiguration configuration) {
    var links = new ArrayList<AuthorizerChain.Link>();
    for (var entry : configuration.authorizers()) {
      var decisions = observer.decisions(entry.type(), entry.name());
      links.add(new AuthorizerChain.Link(authorizer(entry), decisions::decided));
    }
    return AuthorizerChain.of(links);
  }

  private Authorizer authorizer(AuthorizationConfiguration.Entry entry) {
    var webhook = entry.webhook();
    if (webhook != null) {
      var question =
          new WebhookQuestion(
              KubeconfigClient.of(webhook.kubeconfig(), entry.name(), clock)::now,
              webhook.version(),
              webhook.timeout(),
              transport,
              views,
              new WebhookRetries(WebhookQuestion.FIRST_PAUSE, random, Thread::sleep),
              observer);
      return new WebhookAuthorizer(entry.name(), webhook, question, observer, System::nanoTime);
    }
    return switch (entry.type()) {
      case ALWAYS_ALLOW -> new AlwaysAllow();
      case ALWAYS_DENY -> new AlwaysDeny();
      case ABAC, RBAC, NODE, WEBHOOK -> {
        var known = lasting.get(entry.type());
        if (known == null) {
          throw new IllegalArgumentException(
              "authorizer type %s is not allowed if it was not enabled at initial server startup"
                  .formatted(entry.type().spelling()));
        }
        yield known;
      }
    };
  }
}
