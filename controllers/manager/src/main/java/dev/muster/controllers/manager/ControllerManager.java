package dev.muster.controllers.manager;

import dev.muster.controllers.Controller;
import dev.muster.controllers.client.ApiRequests;
import dev.muster.controllers.election.LeaderElection;
import dev.muster.controllers.election.LeaderElector;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * Runs all controllers while this process leads. A leader that cannot renew its Lease in time stops
 * them and campaigns again. An API server that is unavailable, at the start or later, is retried.
 * Thread-safe.
 */
public final class ControllerManager implements AutoCloseable {
  private final RunningControllers controllers;
  private final String identity = hostName() + "_" + UUID.randomUUID();
  private final AutoCloseable elector;

  private ControllerManager(
      KubernetesClient client, LeaderElection election, List<Controller> all, Clock wall) {
    controllers = new RunningControllers(client, all);
    if (election.enabled()) {
      var started =
          new LeaderElector(
              new ApiRequests(client),
              election,
              identity,
              controllers,
              wall,
              new SplittableRandom());
      started.start();
      elector = started;
    } else {
      controllers.begin();
      elector = controllers::end;
    }
  }

  /** Starts in the background; does not close the client. */
  public static ControllerManager start(
      KubernetesClient client, LeaderElection election, List<Controller> controllers) {
    return start(client, election, controllers, Clock.systemUTC());
  }

  /**
   * Starts with another wall clock.
   *
   * @param wall for times that users read; correctness does not depend on it
   */
  static ControllerManager start(
      KubernetesClient client, LeaderElection election, List<Controller> controllers, Clock wall) {
    return new ControllerManager(client, election, controllers, wall);
  }

  /** The identity of this process in the Lease. */
  public String identity() {
    return identity;
  }

  /** Whether this process leads now. */
  public boolean leading() {
    return controllers.running();
  }

  /** Stops all controllers and releases the Lease, so that another process takes over at once. */
  @Override
  public void close() {
    try {
      elector.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }
}
