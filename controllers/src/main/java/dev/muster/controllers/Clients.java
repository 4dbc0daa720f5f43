package dev.muster.controllers;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.internal.KubeConfigUtils;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Connections to an API server. */
public final class Clients {
  private Clients() {}

  /** The names of a kubeconfig's contexts, the current one first. */
  public static List<String> contexts(Path kubeconfig) {
    var parsed = KubeConfigUtils.parseConfig(kubeconfig.toFile());
    var names = new LinkedHashSet<String>();
    if (parsed.getCurrentContext() != null && !parsed.getCurrentContext().isEmpty()) {
      names.add(parsed.getCurrentContext());
    }
    parsed.getContexts().forEach(context -> names.add(context.getName()));
    return List.copyOf(names);
  }

  /** A client for one context that waits so long for an answer, and tries once. */
  public static KubernetesClient of(Path kubeconfig, String context, Duration timeout) {
    var config = Config.fromKubeconfig(context, kubeconfig.toFile());
    config.setUserAgent("muster");
    config.setConnectionTimeout((int) timeout.toMillis());
    config.setRequestTimeout((int) timeout.toMillis());
    config.setRequestRetryBackoffLimit(0);
    return new KubernetesClientBuilder().withConfig(config).build();
  }

  /**
   * A client for the current context of a kubeconfig file; without a file, for what the environment
   * names: KUBECONFIG, the home folder's, or the pod's own service account.
   */
  public static KubernetesClient of(@Nullable Path kubeconfig) {
    File file = kubeconfig == null ? null : kubeconfig.toFile();
    var config = file == null ? Config.autoConfigure(null) : Config.fromKubeconfig(file);
    config.setUserAgent("muster-controller-manager");
    return new KubernetesClientBuilder().withConfig(config).build();
  }
}
