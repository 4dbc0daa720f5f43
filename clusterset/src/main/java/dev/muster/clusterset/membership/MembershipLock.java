package dev.muster.clusterset.membership;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Used by one thread. A Lease in the member, so that of the controller and people at their
 * keyboards one at a time changes its membership. It is longer than any step may take.
 *
 * @param holder who we are
 * @param predecessors how the names of holders begin that are surely gone when we run, because one
 *     at a time runs of them; "" when there are none
 */
record MembershipLock(KubernetesClient client, String holder, String predecessors, Clock clock) {
  private static final String NAMESPACE = "kube-system";
  private static final String NAME = "clusterset-membership";
  private static final Duration LIFE = Duration.ofSeconds(60);

  /** Does the work if nobody else does such work now; empty if somebody does. */
  <T> Optional<T> with(Supplier<T> work) {
    if (!take()) {
      return Optional.empty();
    }
    try {
      return Optional.of(work.get());
    } finally {
      giveBack();
    }
  }

  private boolean take() {
    var leases = client.leases().inNamespace(NAMESPACE);
    var present = leases.withName(NAME).get();
    try {
      if (present == null) {
        leases.resource(held(new LeaseBuilder().build())).create();
        return true;
      }
      if (!isFree(present)) {
        return false;
      }
      leases.resource(held(present)).update();
      return true;
    } catch (KubernetesClientException e) {
      if (e.getCode() == 409) {
        return false;
      }
      throw e;
    }
  }

  private void giveBack() {
    var leases = client.leases().inNamespace(NAMESPACE);
    try {
      var present = leases.withName(NAME).get();
      if (present != null && holder.equals(present.getSpec().getHolderIdentity())) {
        present.getSpec().setHolderIdentity(null);
        leases.resource(present).update();
      }
    } catch (KubernetesClientException e) {
      // It expires by itself.
    }
  }

  private boolean isFree(Lease lease) {
    var spec = lease.getSpec();
    return spec.getHolderIdentity() == null
        || spec.getHolderIdentity().isEmpty()
        || (!predecessors.isEmpty() && spec.getHolderIdentity().startsWith(predecessors))
        || spec.getRenewTime() == null
        || spec.getRenewTime().toInstant().plus(LIFE).isBefore(clock.instant());
  }

  private Lease held(Lease lease) {
    return new LeaseBuilder(lease)
        .editOrNewMetadata()
        .withNamespace(NAMESPACE)
        .withName(NAME)
        .endMetadata()
        .editOrNewSpec()
        .withHolderIdentity(holder)
        .withLeaseDurationSeconds((int) LIFE.toSeconds())
        .withRenewTime(ZonedDateTime.ofInstant(clock.instant(), ZoneOffset.UTC))
        .endSpec()
        .build();
  }
}
