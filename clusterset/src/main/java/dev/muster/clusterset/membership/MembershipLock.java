package dev.muster.clusterset.membership;

import dev.muster.controllers.election.ObservedLease;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
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
 * keyboards one at a time changes its membership. It is longer than any step may take. Whether its
 * holder is gone is judged by what this lock has seen, never by the time in the Lease.
 */
final class MembershipLock {
  private static final String NAMESPACE = "kube-system";
  private static final String NAME = "clusterset-membership";
  private static final Duration LIFE = Duration.ofSeconds(60);

  private final KubernetesClient client;
  private final String holder;
  private final String predecessors;
  private final Clock clock;
  private final ObservedLease observed = new ObservedLease();

  /**
   * @param holder the name of the process that locks
   * @param predecessors how the names of holders begin that are surely gone when we run, because
   *     one at a time runs of them; "" when there are none
   */
  MembershipLock(KubernetesClient client, String holder, String predecessors, Clock clock) {
    this.client = client;
    this.holder = holder;
    this.predecessors = predecessors;
    this.clock = clock;
  }

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
      if (present != null
          && present.getSpec() != null
          && holder.equals(present.getSpec().getHolderIdentity())) {
        present.getSpec().setHolderIdentity(null);
        leases.resource(present).update();
      }
    } catch (KubernetesClientException e) {
      // It expires by itself.
    }
  }

  private boolean isFree(Lease lease) {
    var spec = lease.getSpec() == null ? new LeaseSpec() : lease.getSpec();
    var named = spec.getHolderIdentity() == null ? "" : spec.getHolderIdentity();
    var now = Duration.ofNanos(System.nanoTime());
    observed.see(named, spec, LIFE, now);
    boolean predecessor = !predecessors.isEmpty() && named.startsWith(predecessors);
    return predecessor || !observed.heldByAnother(holder, now);
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
