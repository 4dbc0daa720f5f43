package dev.muster.fleet.endpoints;

import dev.muster.access.Authorizer;
import dev.muster.fleet.endpoints.form.PublishedServers;
import dev.muster.fleet.observation.ReplicaFreshness;
import dev.muster.model.address.Ip;
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
 * One virtual thread runs its loop; leaving takes the reconciler over after the loop has ended.
 * Publishes this server when it is ready, keeps the endpoints of the {@code kubernetes} Service
 * true, and takes this server out when it goes.
 */
public final class EndpointReconciler implements ServerExtension {
  private static final Logger LOG = LoggerFactory.getLogger(EndpointReconciler.class);
  private static final Duration TICK = Duration.ofMillis(250);
  private static final Duration LEAVING = Duration.ofSeconds(3);

  private final EndpointOptions options;
  private final Supplier<String> id;
  private final long born = System.nanoTime();
  private final CountDownLatch stop = new CountDownLatch(1);
  private final CountDownLatch stopped = new CountDownLatch(1);
  private volatile @Nullable Duration renewed;
  private volatile @Nullable ServerHost host;
  private volatile @Nullable EndpointMetrics metrics;
  private volatile @Nullable Reconciler reconciler;
  private Runnable started = () -> {};

  /**
   * @param id of this server, asked once when it is ready: the name of its record
   */
  public EndpointReconciler(EndpointOptions options, Supplier<String> id) {
    this.options = options;
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
      var running = reconciler(lent, measured);
      reconciler = running;
      run(lent, measured, running);
    } finally {
      stopped.countDown();
    }
  }

  private Reconciler reconciler(ServerHost lent, EndpointMetrics measured) {
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
    var journal =
        new EventJournal(
            lent.objects(), measured, lent.clock(), self.id(), () -> renewed = uptime());
    return new Reconciler(
        self,
        options,
        lent.options().services().clusterIpRanges(),
        new ServerCluster(
            lent, Duration.ofSeconds(5), options.reconciler() == ReconcilerType.CONFIGMAP),
        journal);
  }

  /**
   * Sockets in one network namespace of one running kernel: nobody else can hold them meanwhile.
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

  private void run(ServerHost lent, EndpointMetrics measured, Reconciler running)
      throws InterruptedException {
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
      } catch (RuntimeException | Error e) {
        measured.passFailed();
        if (!complained) {
          LOG.warn("endpoints cannot be looked after now: {}", e.toString());
          complained = true;
        }
      }
    } while (!stop.await(TICK.toMillis(), TimeUnit.MILLISECONDS));
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
