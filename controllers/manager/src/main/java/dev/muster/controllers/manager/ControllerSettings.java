package dev.muster.controllers.manager;

import dev.muster.controllers.servers.LeaseCollector;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What an operator can say about how controllers work. */
public record ControllerSettings(
    LeaseCollector leases,
    Syncs syncs,
    Quotas quotas,
    Endpoints endpoints,
    Pods pods,
    Signing signing) {

  /** How many objects each controller works on at a time. */
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

  /** How often quotas are counted in any case. */
  public record Quotas(Duration syncPeriod) {
    public static Quotas defaults() {
      return new Quotas(Duration.ofMinutes(5));
    }
  }

  /** How many endpoints an EndpointSlice holds at the most. */
  public record Endpoints(int maxPerSlice, int maxMirroredPerSubset) {
    public static Endpoints defaults() {
      return new Endpoints(100, 1000);
    }
  }

  /**
   * What is kept of finished pods and of tokens that nobody uses.
   *
   * @param terminatedThreshold how many finished pods there may be; 0 for any number
   */
  public record Pods(int terminatedThreshold, Duration unusedTokens) {
    public static Pods defaults() {
      return new Pods(12_500, Duration.ofDays(365));
    }
  }

  /**
   * What certificates are signed with; nothing is signed unless both files are named.
   *
   * @param duration the longest time for which a certificate is valid
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
