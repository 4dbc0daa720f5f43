package dev.muster.controllers.client;

import dev.muster.controllers.metrics.ControllerMetrics;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Connections to an API server. */
public final class Clients {
  private Clients() {}

  /** A client for one context that waits so long for an answer, and tries once. */
  public static KubernetesClient of(Path kubeconfig, String context, Duration timeout) {
    var config = Config.fromKubeconfig(context, kubeconfig.toFile());
    config.setUserAgent("muster");
    config.setConnectionTimeout((int) timeout.toMillis());
    config.setRequestTimeout((int) timeout.toMillis());
    config.setRequestRetryBackoffLimit(0);
    return builder(config).build();
  }

  /**
   * A client for the current context of a kubeconfig file; without a file, for what the environment
   * names: KUBECONFIG, the home folder's, or the pod's own service account.
   */
  public static KubernetesClient of(@Nullable Path kubeconfig) {
    return of(kubeconfig, ConnectionOptions.defaults());
  }

  /** A client of that kind with connections of another kind. */
  public static KubernetesClient of(@Nullable Path kubeconfig, ConnectionOptions connections) {
    return builder(kubeconfig, connections).build();
  }

  /** A client of that kind whose control loops share a limit. */
  public static KubernetesClient of(@Nullable Path kubeconfig, RequestLimit limit) {
    return builder(kubeconfig, ConnectionOptions.defaults())
        .withHttpClientBuilderConsumer(
            http -> {
              counted(http);
              http.addOrReplaceInterceptor("limit", limit);
            })
        .build();
  }

  /** For a client of any configuration whose requests and watches share a connection. */
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
   * The client looks for a newer token before each request once it is a minute old, and reads the
   * whole file for it. Where a certificate says who it is, there is none to look for.
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
