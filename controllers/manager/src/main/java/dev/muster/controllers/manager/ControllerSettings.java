package dev.muster.controllers.manager;

import dev.muster.controllers.servers.LeaseCollector;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The settings of all controllers. */
public record ControllerSettings(
    LeaseCollector leases,
    Syncs syncs,
    Quotas quotas,
    Endpoints endpoints,
    Pods pods,
    Signing signing) {

  /** The number of objects that each controller processes concurrently. */
  public record Syncs(
      int garbage,
      int namespaces,
      int finishedJobs,
      int quotas,
      int endpoints,
      int serviceEndpoints,
      int mirroring,
      int policyStatus) {
    public static Syncs defaults() {
      return new Syncs(20, 10, 5, 5, 5, 5, 5, 5);
    }
  }

  /** How often quotas are recounted without a change. */
  public record Quotas(Duration syncPeriod) {
    public static Quotas defaults() {
      return new Quotas(Duration.ofMinutes(5));
    }
  }

  /** The limits of EndpointSlices. */
  public record Endpoints(int maxPerSlice, int maxMirroredPerSubset) {
    public static Endpoints defaults() {
      return new Endpoints(100, 1000);
    }
  }

  /**
   * The cleanup of finished pods and unused tokens.
   *
   * @param terminatedThreshold the largest number of finished pods; 0 for no limit
   */
  public record Pods(int terminatedThreshold, Duration unusedTokens) {
    public static Pods defaults() {
      return new Pods(12_500, Duration.ofDays(365));
    }
  }

  /**
   * The certificate authority; nothing is signed unless both files are set.
   *
   * @param duration the longest validity of a certificate
   */
  public record Signing(@Nullable Path certificate, @Nullable Path key, Duration duration) {
    public static Signing defaults() {
      return new Signing(null, null, Duration.ofDays(365));
    }
  }

  public static ControllerSettings defaults(LeaseCollector leases) {
    return new ControllerSettings(
        leases,
        Syncs.defaults(),
        Quotas.defaults(),
        Endpoints.defaults(),
        Pods.defaults(),
        Signing.defaults());
  }
}
