package dev.muster.fleet.identity;

import dev.muster.model.identity.IdentityLease;
import dev.muster.server.options.flag.Flag;
import dev.muster.server.options.flag.FlagGroup;
import java.time.Duration;

/** Options of the identity Lease. */
@FlagGroup("Identity")
public record IdentityOptions(
    @Flag(
            name = "identity-lease-namespace",
            help =
                "Namespace of the servers' identity Leases, made if missing. kube-system in a fleet"
                    + " shared with kube-apiserver.")
        String namespace,
    @Flag(
            name = "identity-lease-renew-interval-seconds",
            help = "Time between two renewals of this server's identity Lease.")
        int renewSeconds,
    @Flag(
            name = "identity-lease-duration-seconds",
            help =
                "How long after its last renewal this server's identity Lease may be collected."
                    + " Long on purpose, so that neither skewed clocks nor a store that is away"
                    + " make a living server look gone.")
        int durationSeconds) {

  /** A server whose Lease is not renewed for this number of intervals hangs or has died. */
  public static final int MISSED_RENEWALS = IdentityLease.MISSED_RENEWALS;

  public IdentityOptions {
    if (namespace == null || !namespace.matches("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")) {
      throw new IllegalArgumentException(
          "--identity-lease-namespace: \"" + namespace + "\" is not a name of a namespace");
    }
    if (renewSeconds < 1 || renewSeconds > IdentityLease.LONGEST_INTERVAL) {
      throw new IllegalArgumentException(
          "--identity-lease-renew-interval-seconds: %d is not between 1 and %d"
              .formatted(renewSeconds, IdentityLease.LONGEST_INTERVAL));
    }
    if (durationSeconds < MISSED_RENEWALS * (long) renewSeconds) {
      throw new IllegalArgumentException(
          "--identity-lease-duration-seconds: must be at least three times"
              + " --identity-lease-renew-interval-seconds");
    }
  }

  public static IdentityOptions defaults() {
    return new IdentityOptions("kube-apiserver-lease", 10, 3600);
  }

  public Duration renewInterval() {
    return Duration.ofSeconds(renewSeconds);
  }
}
