package dev.muster.multicluster.membership;

import dev.muster.controllers.client.Clients;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Clients for the hubs that a member's Secrets describe, cached until their Secret changes. Not
 * thread-safe.
 */
final class HubClients implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 10_000;

  private record Open(
      String version, KubernetesClient client, Supplier<Optional<HubIdentity>> identity) {}

  private final KubernetesClient member;
  private final Map<String, Open> open = new HashMap<>();

  HubClients(KubernetesClient member) {
    this.member = member;
  }

  /**
   * @throws RefusedByHub when the Secret is missing or contains no kubeconfig
   */
  KubernetesClient of(String secret) {
    var found =
        member.secrets().inNamespace(HubCredentials.SECRET_NAMESPACE).withName(secret).get();
    var data =
        Optional.ofNullable(found)
            .map(it -> it.getData())
            .map(it -> it.get(HubCredentials.SECRET_KEY));
    if (found == null || data.isEmpty()) {
      throw new RefusedByHub(
          "The Secret %s/%s with the way to the hub is missing or has no key \"%s\": use muster clusterset join, or create it."
              .formatted(HubCredentials.SECRET_NAMESPACE, secret, HubCredentials.SECRET_KEY));
    }
    var version = found.getMetadata().getResourceVersion();
    var known = open.get(secret);
    if (known != null && known.version().equals(version)) {
      return known.client();
    }
    var text = new String(Base64.getMimeDecoder().decode(data.get()), StandardCharsets.UTF_8);
    var made = connect(secret, text);
    var before =
        open.put(
            secret,
            new Open(Objects.requireNonNullElse(version, ""), made, new KnownIdentity(made)));
    if (before != null) {
      before.client().close();
    }
    return made;
  }

  /** The hub for that cluster; the hub's identity is read once per Secret. */
  Hub hub(String secret, String clusterUid) {
    var client = of(secret);
    var known = open.get(secret);
    return known == null
        ? new HubApi(client, clusterUid)
        : new HubApi(client, clusterUid, known.identity());
  }

  private static KubernetesClient connect(String secret, String kubeconfig) {
    try {
      var config = Config.fromKubeconfig(kubeconfig);
      config.setUserAgent("muster-clusterset");
      config.setConnectionTimeout(PATIENCE_MILLIS);
      config.setRequestTimeout(PATIENCE_MILLIS);
      config.setRequestRetryBackoffLimit(0);
      return Clients.builder(config).build();
    } catch (RuntimeException e) {
      throw new RefusedByHub(
          "The Secret %s/%s holds no kubeconfig that can be read: create it again."
              .formatted(HubCredentials.SECRET_NAMESPACE, secret));
    }
  }

  @Override
  public void close() {
    open.values().forEach(each -> each.client().close());
    open.clear();
  }
}
