package dev.muster.access.webhook;

import dev.muster.registry.webhook.WebhookClient;
import java.nio.file.Path;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server that a kubeconfig describes: the cluster and the user of its current context. Safe for
 * any thread; reads files now and then, so that tokens and certificates can be renewed.
 */
public final class KubeconfigClient {
  private static final Logger log = LoggerFactory.getLogger(KubeconfigClient.class);
  private static final long FRESH_MILLIS = 60_000;

  private final Path file;
  private final String name;
  private final InstantSource clock;
  private WebhookClient client;
  private long read;

  private KubeconfigClient(Path file, String name, InstantSource clock) {
    this.file = file;
    this.name = name;
    this.clock = clock;
    this.client = WebhookKubeconfig.read(name, file);
    this.read = clock.millis();
  }

  /**
   * @param name for messages and to count calls
   * @throws IllegalArgumentException when the file cannot be used
   */
  public static KubeconfigClient of(Path file, String name, InstantSource clock) {
    return new KubeconfigClient(file, name, clock);
  }

  /** The server as the files describe it now, or did when they could last be read. */
  public synchronized WebhookClient now() {
    if (clock.millis() - read >= FRESH_MILLIS) {
      read = clock.millis();
      try {
        client = WebhookKubeconfig.read(name, file);
      } catch (IllegalArgumentException e) {
        log.warn("{} cannot be read any more: {}", file, e.getMessage());
      }
    }
    return client;
  }
}
