package dev.muster.fleet.endpoints;

import dev.muster.authorization.Authorizer;
import dev.muster.fleet.endpoints.form.PublishedServers;
import dev.muster.fleet.identity.IdentityOptions;
import dev.muster.fleet.observation.ReplicaFreshness;
import dev.muster.model.address.Ip;
import dev.muster.model.identity.IdentityLease;
import dev.muster.registry.admission.Admission;
import dev.muster.server.ServerExtension;
import dev.muster.server.ServerHost;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes this server as an endpoint when it is ready, reconciles the endpoints of the {@code
 * kubernetes} Service, and removes this server when it stops. One virtual thread runs the loop;
 * after its end, {@link #leave} takes over the reconciler.
 */
public final class EndpointReconciler implements ServerExtension {
  private static final Logger LOG = LoggerFactory.getLogger(EndpointReconciler.class);
  private static final Duration TICK = Duration.ofMillis(250);
  private static final Duration CHECK = Duration.ofSeconds(1);
  private static final String UPSTREAM_NAMESPACE = "kube-system";
  private static final Duration LEAVING = Duration.ofSeconds(3);

  private final EndpointOptions options;
  private final IdentityOptions identities;
  private final Supplier<String> id;
  private final IdentityCheck check = new IdentityCheck();
  private final long born = System.nanoTime();
  private final CountDownLatch stop = new CountDownLatch(1);
  private final CountDownLatch stopped = new CountDownLatch(1);
  private volatile @Nullable Duration renewed;
  private volatile @Nullable ServerHost host;
  private volatile @Nullable EndpointMetrics metrics;
  private volatile @Nullable Reconciler reconciler;
  private Runnable started = () -> {};

  /**
   * @param identities the namespace of identity Leases
   * @param id of this server, read once when it is ready; names its record
   */
  public EndpointReconciler(
      EndpointOptions options, IdentityOptions identities, Supplier<String> id) {
    this.options = options;
    this.identities = identities;
    this.id = id;
  }

  @Override
  public List<Admission> admission(Authorizer authorizer) {
    return List.of(new ConfigMapProtection(authorizer));
  }

  @Override
  public void attach(ServerHost lent) {
    host = lent;
    metrics = new EndpointMetrics(lent.metrics(), this::age);
    started = lent.health().addHook("bootstrap-controller");
    if (options.reconciler() == ReconcilerType.MASTER_COUNT) {
      LOG.warn(
          "--endpoint-reconciler-type=master-count is deprecated: dead servers stay published,"
              + " and a wrong --apiserver-count makes endpoints flap; use lease");
    }
  }

  private double age() {
    var last = renewed;
    return last == null ? 0 : uptime().minus(last).toMillis() / 1e3;
  }

  private Duration uptime() {
    return Duration.ofNanos(System.nanoTime() - born);
  }

  @Override
  public void start() throws InterruptedException {
    started.run();
    var lent = host;
    var measured = metrics;
    if (lent == null || measured == null) {
      return;
    }
    try {
      while (!lent.health().ready()) {
        if (stop.await(100, TimeUnit.MILLISECONDS)) {
          return;
        }
      }
      var journal =
          new EventJournal(
              lent.objects(), measured, lent.clock(), id.get(), () -> renewed = uptime());
      var running = reconciler(lent, journal);
      reconciler = running;
      run(lent, measured, running, journal);
    } finally {
      stopped.countDown();
    }
  }

  private Reconciler reconciler(ServerHost lent, Journal journal) {
    int port = lent.port().getAsInt();
    var self =
        new OwnRecord(
            id.get(),
            place(lent.options().listen().bindAddresses(), port),
            lent.advertised().addresses().stream()
                .map(address -> Ip.of(address).toString())
                .toList(),
            port,
            options.leaseDuration());
    if (self.addresses().stream().noneMatch(PublishedServers::isPublishable)) {
      LOG.info(
          "{} can be reached from this machine only and is not published;"
              + " --advertise-address names an address for others",
          self.addresses());
    }
    return new Reconciler(
        self,
        options,
        lent.options().services().clusterIpRanges(),
        new ServerCluster(
            lent, Duration.ofSeconds(5), options.reconciler() == ReconcilerType.CONFIGMAP),
        journal);
  }

  /**
   * Identifies the sockets of this server within one network namespace of one running kernel: no
   * other server can hold them at the same time.
   */
  private static String place(List<InetAddress> bound, int port) {
    try {
      var boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
      var network = Files.readSymbolicLink(Path.of("/proc/self/ns/net"));
      var sockets = bound.stream().map(address -> Ip.of(address).toString()).sorted().toList();
      return boot + "/" + network + "/" + sockets + ":" + port;
    } catch (IOException | UnsupportedOperationException e) {
      return "";
    }
  }

  private void run(ServerHost lent, EndpointMetrics measured, Reconciler running, Journal journal)
      throws InterruptedException {
    boolean checks =
        options.reconciler() != ReconcilerType.NONE
            && lent.options().api().enabled("APIServerIdentity", true);
    var checked = Duration.ZERO;
    var freshness = new ReplicaFreshness(lent.replica());
    boolean complained = false;
    do {
      var now = uptime();
      var upToDate = freshness.lastKnown(now);
      if (!lent.replica().ready()) {
        continue;
      }
      try {
        if (running.tick(lent.clock().instant(), now, upToDate) && complained) {
          LOG.info("endpoints are looked after again");
          complained = false;
        }
        if (checks && now.minus(checked).compareTo(CHECK) >= 0) {
          checked = now;
          checkIdentities(lent, measured, running, journal, now);
        }
      } catch (RuntimeException | Error e) {
        measured.passFailed();
        if (!complained) {
          LOG.warn("endpoints cannot be looked after now: {}", e.toString());
          complained = true;
        }
      }
    } while (!stop.await(TICK.toMillis(), TimeUnit.MILLISECONDS));
  }

  private void checkIdentities(
      ServerHost lent,
      EndpointMetrics measured,
      Reconciler running,
      Journal journal,
      Duration now) {
    var own = leases(lent, identities.namespace());
    var upstream =
        identities.namespace().equals(UPSTREAM_NAMESPACE)
            ? List.<IdentityLease>of()
            : leases(lent, UPSTREAM_NAMESPACE);
    var without = IdentityCheck.withoutLease(running.published(), running.members(), own, upstream);
    measured.withoutLease(without.size());
    for (var endpoint : check.lasting(without, now)) {
      journal.remark(
          "EndpointWithoutLease",
          endpoint
              + " is published, and no API server with an identity Lease in "
              + identities.namespace()
              + " is there",
          true);
    }
  }

  private static List<IdentityLease> leases(ServerHost lent, String namespace) {
    return lent.replica().current().collection("/leases").in(namespace).stream()
        .filter(lease -> IdentityLease.LABEL_VALUE.equals(lease.label(IdentityLease.LABEL)))
        .map(lease -> IdentityLease.read(lease.tree()))
        .toList();
  }

  @Override
  public void leave() {
    stop.countDown();
    var leaving = reconciler;
    var lent = host;
    if (leaving == null || lent == null) {
      return;
    }
    try {
      if (!stopped.await(LEAVING.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.warn("the endpoint reconciler does not stop; its record expires by itself");
        return;
      }
      var done = new CountDownLatch(1);
      lent.threads()
          .execute(
              () -> {
                try {
                  leaving.leave();
                } catch (RuntimeException | Error e) {
                  LOG.warn("could not leave the endpoints: {}", e.toString());
                } finally {
                  done.countDown();
                }
              });
      if (!done.await(LEAVING.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.warn("the store does not answer; this server's record expires by itself");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
