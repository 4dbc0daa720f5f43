package dev.muster.multicluster.membership;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Lease in the member cluster that lets only one of the controller and the users' commands change
 * the membership at a time. One thread uses it; another one renews it during the work.
 *
 * <p>A holder that stops renewing is considered gone. Renewals are observed on this process's own
 * clock; the times in the Lease are only for users.
 */
final class MembershipLock {
  private static final Logger log = LoggerFactory.getLogger(MembershipLock.class);
  private static final String NAMESPACE = "kube-system";
  private static final String NAME = "clusterset-membership";
  private static final Duration RENEWAL = Duration.ofSeconds(3);
  private static final Duration LIFE = Duration.ofSeconds(15);

  private final KubernetesClient client;
  private final String holder;
  private final String predecessors;
  private final Clock clock;
  private final LongSupplier nanos;

  /** The observed Lease of another holder, and when it was first observed so. */
  private @Nullable Seen seen;

  private record Seen(String version, String holder, long since) {}

  /**
   * @param holder the name of this holder
   * @param predecessors the prefix of holders that are certainly gone when this one runs, because
   *     only one of them runs at a time; "" for none
   * @param nanos a monotonic clock
   */
  MembershipLock(
      KubernetesClient client,
      String holder,
      String predecessors,
      Clock clock,
      LongSupplier nanos) {
    this.client = client;
    this.holder = holder;
    this.predecessors = predecessors;
    this.clock = clock;
    this.nanos = nanos;
  }

  /** The holder for which this process waits; "" for none. */
  String other() {
    var now = seen;
    return now == null ? "" : now.holder();
  }

  /** Does the work under the lock; empty if another holder has it. */
  <T> Optional<T> with(Supplier<T> work) {
    if (!take()) {
      return Optional.empty();
    }
    var renewal = Thread.ofVirtual().name("membership-lock").start(this::renew);
    try {
      return Optional.of(work.get());
    } finally {
      renewal.interrupt();
      giveBack();
    }
  }

  /** Renews until interrupted; repeats after failures. */
  private void renew() {
    var leases = client.leases().inNamespace(NAMESPACE);
    while (true) {
      try {
        Thread.sleep(RENEWAL);
        var present = leases.withName(NAME).get();
        if (present != null && holder.equals(present.getSpec().getHolderIdentity())) {
          leases.resource(held(present)).update();
        }
      } catch (InterruptedException e) {
        return;
      } catch (KubernetesClientException e) {
        log.debug("the lock is not renewed now: {}", e.getMessage());
      }
    }
  }

  private boolean take() {
    var leases = client.leases().inNamespace(NAMESPACE);
    var present = leases.withName(NAME).get();
    try {
      if (present == null) {
        leases.resource(held(new LeaseBuilder().build())).create();
        seen = null;
        return true;
      }
      if (!isFree(present)) {
        return false;
      }
      leases.resource(held(present)).update();
      seen = null;
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
      // The Lease expires by itself.
    }
  }

  private boolean isFree(Lease lease) {
    var spec = lease.getSpec();
    var other = spec == null ? null : spec.getHolderIdentity();
    if (other == null
        || other.isEmpty()
        || (!predecessors.isEmpty() && other.startsWith(predecessors))
        || LocalProcess.isGone(other)) {
      return true;
    }
    var version = String.valueOf(lease.getMetadata().getResourceVersion());
    var before = seen;
    if (before == null || !before.version().equals(version)) {
      seen = new Seen(version, other, nanos.getAsLong());
      return false;
    }
    return nanos.getAsLong() - before.since() > LIFE.toNanos();
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
