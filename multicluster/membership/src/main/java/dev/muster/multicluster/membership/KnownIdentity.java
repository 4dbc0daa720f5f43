package dev.muster.multicluster.membership;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Optional;
import java.util.function.Supplier;

/** Reads the hub's identity once and remembers it; repeats failed reads. Not thread-safe. */
final class KnownIdentity implements Supplier<Optional<HubIdentity>> {
  private final KubernetesClient hub;
  private Optional<HubIdentity> known = Optional.empty();

  KnownIdentity(KubernetesClient hub) {
    this.hub = hub;
  }

  @Override
  public Optional<HubIdentity> get() {
    if (known.isEmpty()) {
      known = HubIdentity.of(hub);
    }
    return known;
  }
}
