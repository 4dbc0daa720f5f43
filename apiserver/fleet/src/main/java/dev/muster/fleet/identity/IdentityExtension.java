package dev.muster.fleet.identity;

import dev.muster.fleet.observation.FleetEvents;
import dev.muster.model.address.Ip;
import dev.muster.server.ServerExtension;
import dev.muster.server.ServerHost;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the heartbeat of the identity Lease, on the virtual thread that starts it. Without the gate
 * {@code APIServerIdentity} it writes nothing, and the Lease of an earlier run stays until the
 * collector deletes it.
 */
public final class IdentityExtension implements ServerExtension {
  private static final Logger log = LoggerFactory.getLogger(IdentityExtension.class);
  private static final double JITTER = 0.04;

  /** How often it checks whether the clock was set. */
  private static final Duration LOOK = Duration.ofSeconds(1);

  private static final Duration LOADING = Duration.ofMillis(200);
  private static final Duration GOODBYE = Duration.ofSeconds(3);

  private final IdentityOptions options;
  private final ServerIdentity identity;
  private final Consumer<ServerId> beforeLease;
  private final Supplier<String> hash;
  private final Supplier<String> peerAddress;
  private final CountDownLatch leaving = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private @Nullable ServerHost host;
  private @Nullable Heartbeat heartbeat;
  private Runnable hook = () -> {};
  private volatile boolean started;

  /**
   * @param beforeLease receives the ID before its Lease announces it to the fleet; may be called
   *     again
   * @param hash the discovery hash, read after that; "" for none
   * @param peerAddress at which peers reach this server; "" when they must not
   */
  public IdentityExtension(
      IdentityOptions options,
      ServerIdentity identity,
      Consumer<ServerId> beforeLease,
      Supplier<String> hash,
      Supplier<String> peerAddress) {
    this.options = options;
    this.identity = identity;
    this.beforeLease = beforeLease;
    this.hash = hash;
    this.peerAddress = peerAddress;
  }

  @Override
  public void attach(ServerHost lent) {
    host = lent;
    if (!lent.options().api().enabled("APIServerIdentity", true)) {
      return;
    }
    hook = lent.health().addHook("start-kube-apiserver-identity-lease-controller");
    heartbeat =
        new Heartbeat(
            lent.objects(),
            identity,
            options,
            lent.clock(),
            new IdentityMetrics(lent.metrics(), identity, lent.clock()),
            () -> new OwnLease.Presence(addresses(lent), peerAddress.get(), hash.get()),
            beforeLease);
  }

  private static String addresses(ServerHost lent) {
    return lent.advertised().addresses().stream()
        .map(address -> Ip.of(address).host() + ":" + lent.port().getAsInt())
        .collect(Collectors.joining(","));
  }

  @Override
  public void start() throws InterruptedException {
    var beats = heartbeat;
    if (beats == null) {
      identity.settle();
      return;
    }
    started = true;
    try {
      if (!awaitReplica()) {
        return;
      }
      var server = host;
      var clock = server == null ? InstantSource.system() : server.clock();
      Duration pause;
      Instant began;
      boolean joined = false;
      do {
        began = clock.instant();
        pause = beats.beat();
        if (!joined && beats.hasLease()) {
          joined = true;
          identity.settle();
          hook.run();
          report("APIServerJoined", "joined the fleet");
        }
      } while (!leavesBefore(pause, clock, began));
    } finally {
      ended.countDown();
    }
  }

  /**
   * Waits until the next heartbeat is due or this server leaves. The heartbeat is also due when the
   * clock by which Leases are judged has passed its time, because the clock was set.
   *
   * @param began the last heartbeat, by that clock
   */
  private boolean leavesBefore(Duration pause, InstantSource clock, Instant began)
      throws InterruptedException {
    var due = began.plus(pause);
    long end = System.nanoTime() + jittered(pause);
    for (long left = end - System.nanoTime();
        left > 0 && clock.instant().isBefore(due.plus(LOOK));
        left = end - System.nanoTime()) {
      if (leaving.await(Math.min(left, LOOK.toNanos()), TimeUnit.NANOSECONDS)) {
        return true;
      }
    }
    return leaving.getCount() == 0;
  }

  /**
   * Waits for the first image, before which every heartbeat would fail; false when this server
   * leaves.
   */
  private boolean awaitReplica() throws InterruptedException {
    var server = host;
    var loaded = server == null ? null : server.replica().applied(0);
    while (loaded != null && leaving.getCount() > 0) {
      try {
        loaded.get(LOADING.toMillis(), TimeUnit.MILLISECONDS);
        return true;
      } catch (TimeoutException e) {
        log.debug("the replica is not loaded yet");
      } catch (ExecutionException e) {
        return false;
      }
    }
    return false;
  }

  private void report(String reason, String message) {
    var server = host;
    if (server != null) {
      var id = identity.id();
      new FleetEvents(server.objects(), server.clock())
          .report(
              new FleetEvents.Subject(
                  "coordination.k8s.io/v1", "Lease", options.namespace(), id.leaseName()),
              false,
              reason,
              message);
    }
  }

  private static long jittered(Duration pause) {
    return (long) (pause.toNanos() * RandomGenerator.getDefault().nextDouble(1, 1 + JITTER));
  }

  /** Deletes the Lease, unless the store takes too long to answer. */
  @Override
  public void leave() {
    leaving.countDown();
    var beats = heartbeat;
    var server = host;
    if (beats == null || server == null || !started) {
      return;
    }
    var goodbye =
        server
            .threads()
            .submit(
                () -> {
                  ended.await();
                  if (beats.hasLease()) {
                    beats.withdraw();
                    report("APIServerLeft", "left the fleet");
                  }
                  return true;
                });
    try {
      goodbye.get(GOODBYE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      goodbye.cancel(true);
      stays(beats, "the store does not answer");
    } catch (ExecutionException e) {
      stays(beats, String.valueOf(e.getCause()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void stays(Heartbeat beats, String why) {
    if (beats.hasLease()) {
      log.warn("the identity lease {} stays until it is collected: {}", identity.id(), why);
    }
  }
}
