package dev.muster.cli;

import dev.muster.controllers.LeaderElection;
import dev.muster.server.options.Flag;
import dev.muster.server.options.FlagGroup;
import dev.muster.server.options.LogOptions;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What an operator can set for the controller manager. */
record ControllerManagerFlags(Connection connection, Election election, LogOptions log) {

  /** Which API server it works with. */
  @FlagGroup("Connection")
  record Connection(
      @Flag(
              name = "kubeconfig",
              help =
                  "File with the API server's address and the credentials. Unset: what KUBECONFIG"
                      + " names, the home folder's, or the pod's own service account.")
          @Nullable Path kubeconfig) {}

  /** When it leads. */
  @FlagGroup("Leader election")
  record Election(
      @Flag(
              name = "leader-elect",
              help = "Run controllers only while holding a Lease, so that one of several does.")
          boolean enabled,
      @Flag(
              name = "leader-elect-lease-duration",
              help = "How long others wait after a leader's last renewal before they take over.")
          Duration leaseDuration,
      @Flag(
              name = "leader-elect-renew-deadline",
              help = "How long a leader tries to renew before it stops leading.")
          Duration renewDeadline,
      @Flag(name = "leader-elect-retry-period", help = "Time between two attempts.")
          Duration retryPeriod,
      @Flag(name = "leader-elect-resource-namespace", help = "Namespace of the Lease.")
          String namespace,
      @Flag(name = "leader-elect-resource-name", help = "Name of the Lease.") String name) {

    LeaderElection read() {
      return new LeaderElection(
          enabled, leaseDuration, renewDeadline, retryPeriod, namespace, name);
    }
  }

  static ControllerManagerFlags defaults() {
    var election = LeaderElection.defaults();
    return new ControllerManagerFlags(
        new Connection(null),
        new Election(
            election.enabled(),
            election.leaseDuration(),
            election.renewDeadline(),
            election.retryPeriod(),
            election.namespace(),
            election.name()),
        LogOptions.defaults());
  }
}
