package dev.muster.authentication.webhook;

import dev.muster.registry.webhook.WebhookClient;
import java.nio.file.Path;
import java.time.InstantSource;

/**
 * A server that a kubeconfig describes: the cluster and the user of its current context. Safe for
 * any thread; reads files now and then, so that tokens and certificates can be renewed.
 */
public final class KubeconfigClient {
  private final RenewedKubeconfig<WebhookClient> config;

  private KubeconfigClient(RenewedKubeconfig<WebhookClient> config) {
    this.config = config;
  }

  /**
   * @param name for messages and to count calls
   * @throws IllegalArgumentException when the file cannot be used
   */
  public static KubeconfigClient of(Path file, String name, InstantSource clock) {
    return new KubeconfigClient(
        new RenewedKubeconfig<>(file, each -> WebhookKubeconfig.read(name, each), clock));
  }

  /** The server as the files describe it now, or did when they could last be read. */
  public WebhookClient now() {
    return config.get();
  }
}
