package dev.muster.clusterset.membership;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Optional;

/** A member's sign of life, beside its claim in the hub. */
final class MemberLease {
  static final Duration RENEWAL = Duration.ofSeconds(10);
  static final Duration LIFE = Duration.ofSeconds(40);

  private MemberLease() {}

  static void renew(KubernetesClient hub, Claim claim, Instant now) {
    hub.leases()
        .inNamespace(ClusterSet.namespace(claim.clusterSet()))
        .withName(claim.clusterId())
        .edit(
            lease -> {
              lease.getSpec().setRenewTime(ZonedDateTime.ofInstant(now, ZoneOffset.UTC));
              return lease;
            });
  }

  /** When it gave its last sign of life, by its own clock. */
  static Optional<Instant> lastSeen(Lease lease) {
    var spec = lease.getSpec();
    return spec == null || spec.getRenewTime() == null
        ? Optional.empty()
        : Optional.of(spec.getRenewTime().toInstant());
  }
}
