package dev.muster.controllers.client;

import dev.muster.controllers.metrics.ControllerMetrics;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Creates clients for an API server. */
public final class Clients {
  private Clients() {}

  /** A client for one context, with that timeout and without retries. */
  public static KubernetesClient of(Path kubeconfig, String context, Duration timeout) {
    var config = Config.fromKubeconfig(context, kubeconfig.toFile());
    config.setUserAgent("muster");
    config.setConnectionTimeout((int) timeout.toMillis());
    config.setRequestTimeout((int) timeout.toMillis());
    config.setRequestRetryBackoffLimit(0);
    return builder(config).build();
  }

  /**
   * A client for the current context of a kubeconfig file; without a file, for the environment's:
   * KUBECONFIG, the file in the home folder, or the pod's service account.
   */
  public static KubernetesClient of(@Nullable Path kubeconfig) {
    return of(kubeconfig, ConnectionOptions.defaults());
  }

  /** The same with other connection options. */
  public static KubernetesClient of(@Nullable Path kubeconfig, ConnectionOptions connections) {
    return builder(kubeconfig, connections).build();
  }

  /** The same with a request limit that all control loops of the client share. */
  public static KubernetesClient of(@Nullable Path kubeconfig, RequestLimit limit) {
    return builder(kubeconfig, ConnectionOptions.defaults())
        .withHttpClientBuilderConsumer(
            http -> {
              counted(http);
              http.addOrReplaceInterceptor("limit", limit);
            })
        .build();
  }

  /** A builder for a client whose requests and watches share a connection. */
  public static KubernetesClientBuilder builder(Config config) {
    return new KubernetesClientBuilder()
        .withConfig(withoutRereading(config))
        .withHttpClientFactory(new MultiplexedHttp(ConnectionOptions.defaults(), null));
  }

  private static KubernetesClientBuilder builder(
      @Nullable Path kubeconfig, ConnectionOptions connections) {
    var config =
        kubeconfig == null
            ? Config.autoConfigure(null)
            : Config.fromKubeconfig(kubeconfig.toFile());
    config.setUserAgent("muster-controller-manager");
    var credentials = kubeconfig == null ? null : RenewedCredentials.of(kubeconfig).orElse(null);
    if (credentials == null) {
      withoutRereading(config);
    } else {
      config.setOauthTokenProvider(credentials);
    }
    return new KubernetesClientBuilder()
        .withConfig(config)
        .withHttpClientFactory(new MultiplexedHttp(connections, credentials))
        .withHttpClientBuilderConsumer(Clients::counted);
  }

  /**
   * Stops the client from reading its configuration file before a request when the token is a
   * minute old. With a client certificate there is no token to read.
   */
  private static Config withoutRereading(Config config) {
    boolean certified = config.getClientCertData() != null || config.getClientCertFile() != null;
    if (certified && config.getOauthToken() == null && config.getAutoOAuthToken() == null) {
      config.setOauthTokenProvider(() -> "");
    }
    return config;
  }

  private static void counted(HttpClient.Builder http) {
    http.addOrReplaceInterceptor("metrics", ControllerMetrics.OF_PROCESS.requests());
  }
}
