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
 * Safe for any thread. Runs all controllers while this process leads, and none otherwise: a leader
 * that cannot renew in time stops them and campaigns again. Survives an API server that is not
 * there yet, or goes away.
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

  /** Starts, in the background, with a client that it does not close. */
  public static ControllerManager start(
      KubernetesClient client, LeaderElection election, List<Controller> controllers) {
    return start(client, election, controllers, Clock.systemUTC());
  }

  /**
   * Starts with a wall clock of its own.
   *
   * @param wall for the times that others read; nothing depends on it being right
   */
  static ControllerManager start(
      KubernetesClient client, LeaderElection election, List<Controller> controllers, Clock wall) {
    return new ControllerManager(client, election, controllers, wall);
  }

  /** The name under which this process holds the Lease. */
  public String identity() {
    return identity;
  }

  /** Whether the controllers run here at this moment. */
  public boolean leading() {
    return controllers.running();
  }

  /** Stops all controllers and gives the Lease back, so that another takes over at once. */
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
