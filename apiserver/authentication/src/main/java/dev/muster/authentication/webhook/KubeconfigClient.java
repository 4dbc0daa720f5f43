package dev.muster.authentication.webhook;

import dev.muster.registry.webhook.WebhookClient;
import java.nio.file.Path;
import java.time.InstantSource;

/**
 * A client for the cluster and user of a kubeconfig's current context. Thread-safe. It reads the
 * files again periodically, so that tokens and certificates can be renewed.
 */
public final class KubeconfigClient {
  private final RenewedKubeconfig<WebhookClient> config;

  private KubeconfigClient(RenewedKubeconfig<WebhookClient> config) {
    this.config = config;
  }

  /**
   * @param name for messages and metrics
   * @throws IllegalArgumentException when the file cannot be used
   */
  public static KubeconfigClient of(Path file, String name, InstantSource clock) {
    return new KubeconfigClient(
        new RenewedKubeconfig<>(file, each -> WebhookKubeconfig.read(name, each), clock));
  }

  /** The client for the current files, or for the last files that could be read. */
  public WebhookClient now() {
    return config.get();
  }
}
