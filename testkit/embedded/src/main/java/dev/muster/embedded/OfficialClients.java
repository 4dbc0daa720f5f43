package dev.muster.embedded;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.time.Duration;

/** Creates clients of the official Java library, if it is on the class path. */
public final class OfficialClients {
  private OfficialClients() {}

  /** The administrator's client; watches stay open as long as the server permits. */
  public static ApiClient of(TestCluster cluster) {
    return of(cluster.kubeconfig());
  }

  /** The client of another user. */
  public static ApiClient of(TestCluster cluster, String user, String... groups) {
    return of(cluster.kubeconfigAs(user, groups));
  }

  private static ApiClient of(String kubeconfig) {
    try {
      return ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(new StringReader(kubeconfig)))
          .setReadTimeout(Duration.ZERO)
          .build();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
