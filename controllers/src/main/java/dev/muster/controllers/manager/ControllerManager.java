package dev.muster.controllers.manager;

import dev.muster.controllers.Controller;
import dev.muster.controllers.metrics.ControllerMetrics;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfig;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One virtual thread campaigns for the Lease; controllers are started and stopped on the elector's
 * threads, one at a time. Runs all controllers while this process leads, and none otherwise: a
 * leader that cannot renew in time stops them and campaigns again. Survives an API server that is
 * not there yet, or goes away.
 */
public final class ControllerManager implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ControllerManager.class);

  private volatile boolean leads;
  private final KubernetesClient client;
  private final LeaderElection election;
  private final RunningControllers controllers;
  private final String identity;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread campaign;
  private volatile @Nullable CompletableFuture<?> term;

  private ControllerManager(
      KubernetesClient client, LeaderElection election, List<Controller> controllers) {
    this.client = client;
    this.election = election;
    this.controllers = new RunningControllers(client, controllers);
    this.identity = hostName() + "_" + UUID.randomUUID();
    this.campaign = Thread.ofVirtual().name("controller-manager").unstarted(this::campaign);
  }

  /** Starts, in the background, with a client that it does not close. */
  public static ControllerManager start(
      KubernetesClient client, LeaderElection election, List<Controller> controllers) {
    var manager = new ControllerManager(client, election, controllers);
    manager.campaign.start();
    return manager;
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
    closing.countDown();
    var current = term;
    if (current != null) {
      current.cancel(true);
    }
    try {
      campaign.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    controllers.stop();
  }

  private void campaign() {
    if (!election.enabled()) {
      controllers.start();
      return;
    }
    do {
      try {
        serveOneTerm();
      } catch (RuntimeException | Error e) {
        log.warn("Leader election failed: {}", e.toString());
      }
      follow();
    } while (!closedWithin(election.retryPeriod().toMillis()));
    giveLeaseBack();
  }

  /** The elector's own release leaves the holder's name in place, so others would still wait. */
  private void giveLeaseBack() {
    try {
      var leases = client.leases().inNamespace(election.namespace());
      var lease = leases.withName(election.name()).get();
      if (lease != null && identity.equals(lease.getSpec().getHolderIdentity())) {
        lease.getSpec().setHolderIdentity("");
        lease.getSpec().setLeaseDurationSeconds(1);
        leases.resource(lease).update();
      }
    } catch (RuntimeException | Error e) {
      log.warn("{} could not give its Lease back: {}", identity, e.toString());
    }
  }

  private void serveOneTerm() {
    var started =
        client
            .leaderElector()
            .withConfig(
                new LeaderElectionConfig(
                    new LeaseLock(election.namespace(), election.name(), identity),
                    election.leaseDuration(),
                    election.renewDeadline(),
                    election.retryPeriod(),
                    new LeaderCallbacks(this::lead, this::follow, this::leaderChanged),
                    false,
                    election.name()))
            .build()
            .start();
    term = started;
    if (closing.getCount() == 0) {
      started.cancel(true);
    }
    try {
      started.join();
    } catch (CompletionException | CancellationException e) {
      log.debug("Term of {} ended", identity, e);
    }
  }

  private void lead() {
    leads = true;
    ControllerMetrics.OF_PROCESS.leads(election.name(), true);
    controllers.start();
  }

  private void follow() {
    if (leads && closing.getCount() > 0) {
      log.warn("{} leads {}/{} no more", identity, election.namespace(), election.name());
    }
    leads = false;
    ControllerMetrics.OF_PROCESS.leads(election.name(), false);
    controllers.stop();
  }

  private void leaderChanged(String leader) {
    log.info("{} leads {}/{}", leader, election.namespace(), election.name());
  }

  private boolean closedWithin(long millis) {
    try {
      return closing.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      return true;
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
