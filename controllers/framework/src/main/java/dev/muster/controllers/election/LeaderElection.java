package dev.muster.controllers.election;

import java.time.Duration;

/** The leader election settings: whether to use it, the Lease, and its durations. */
public record LeaderElection(
    boolean enabled,
    Duration leaseDuration,
    Duration renewDeadline,
    Duration retryPeriod,
    String namespace,
    String name) {

  public LeaderElection {
    if (leaseDuration.compareTo(renewDeadline) <= 0) {
      throw new IllegalArgumentException(
          "--leader-elect-lease-duration must be greater than --leader-elect-renew-deadline");
    }
    if (renewDeadline.compareTo(retryPeriod.multipliedBy(6).dividedBy(5)) <= 0) {
      throw new IllegalArgumentException(
          "--leader-elect-renew-deadline must be greater than 1.2 times"
              + " --leader-elect-retry-period");
    }
    if (retryPeriod.isNegative() || retryPeriod.isZero()) {
      throw new IllegalArgumentException("--leader-elect-retry-period must be greater than zero");
    }
    if (namespace.isEmpty() || name.isEmpty()) {
      throw new IllegalArgumentException(
          "--leader-elect-resource-namespace and --leader-elect-resource-name must not be empty");
    }
  }

  public static LeaderElection defaults() {
    return new LeaderElection(
        true,
        Duration.ofSeconds(15),
        Duration.ofSeconds(10),
        Duration.ofSeconds(2),
        "kube-system",
        "muster-controller-manager");
  }
}
