package dev.muster.multicluster.membership;

import dev.muster.model.Timestamps;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The heartbeat Lease of a member, next to its claim in the hub. */
public final class MemberLease {
  public static final Duration RENEWAL = Duration.ofSeconds(10);
  static final Duration LIFE = Duration.ofSeconds(40);

  /** A time further ahead than this is not trusted. */
  private static final Duration TOLERANCE = Duration.ofSeconds(2);

  private MemberLease() {}

  /** Renews the Lease; other fields stay unchanged. */
  public static void renew(KubernetesClient hub, Claim claim, Instant now) {
    var _ =
        hub.leases()
            .inNamespace(ClusterSet.namespace(claim.clusterSet()))
            .withName(claim.clusterId())
            .patch(
                PatchContext.of(PatchType.JSON_MERGE),
                "{\"spec\":{\"renewTime\":\"" + Timestamps.formatMicro(now) + "\"}}");
  }

  /** Whether a live member with a right clock may have written that time. */
  static boolean isRecent(Instant renewed, Instant now) {
    return renewed.plus(LIFE).isAfter(now) && !isAhead(renewed, now);
  }

  static boolean isAhead(Instant renewed, Instant now) {
    return renewed.minus(TOLERANCE).isAfter(now);
  }

  /** The last renewal, by the member's clock. */
  static Optional<Instant> lastSeen(Lease lease) {
    var spec = lease.getSpec();
    return spec == null || spec.getRenewTime() == null
        ? Optional.empty()
        : Optional.of(spec.getRenewTime().toInstant());
  }
}
