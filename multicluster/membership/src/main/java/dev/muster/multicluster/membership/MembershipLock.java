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
 * Used by one thread, and renewed by another while work is done. A Lease in the member, so that of
 * the controller and people at their keyboards one at a time changes its membership.
 *
 * <p>A holder that renews it no more is gone. Whether it does is what this process sees on its own
 * clock; the times in the Lease are for people.
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

  /** The Lease of another as it was when this process first saw it so, and when that was. */
  private @Nullable Seen seen;

  private record Seen(String version, String holder, long since) {}

  /**
   * @param holder who we are
   * @param predecessors how the names of holders begin that are surely gone when we run, because
   *     one at a time runs of them; "" when there are none
   * @param nanos goes forward only
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

  /** Does the work if nobody else does such work now; empty if somebody does. */
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

  /** Until it is interrupted. A renewal that fails is followed by another one. */
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
      // It expires by itself.
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
