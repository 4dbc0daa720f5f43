package dev.muster.server.start;

import dev.muster.model.GroupVersionResource;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.services.AddressRepair;
import dev.muster.replica.Replica;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.types.ObjectMeta;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reconciles IPAddress objects with the cluster IPs of Services, a few seconds after one of them
 * has changed. Runs on a virtual thread of its own. Every server of the fleet does so, and finds
 * nothing to do if another was faster.
 */
public final class ClusterIpRepair implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterIpRepair.class);
  private static final GroupVersionResource RESOURCE =
      new GroupVersionResource("networking.k8s.io", "v1", "ipaddresses");
  private static final Set<String> FOLLOWED =
      Set.of(AddressRepair.SERVICES, AddressRepair.ADDRESSES);

  /** Each run compares all Services, so it does not run after every single change. */
  private static final long PAUSE = Duration.ofSeconds(10).toNanos();

  private final RegistryObjects objects;
  private final Replica replica;
  private final InstantSource clock;
  private final BooleanSupplier stopped;

  public ClusterIpRepair(
      RegistryObjects objects, Replica replica, InstantSource clock, BooleanSupplier stopped) {
    this.objects = objects;
    this.replica = replica;
    this.clock = clock;
    this.stopped = stopped;
  }

  @Override
  public void run() {
    var published = new Semaphore(0);
    try (var _ = replica.onChange(FOLLOWED, published::release)) {
      long done = -1;
      long looked = System.nanoTime();
      while (!stopped.getAsBoolean()) {
        var _ = published.tryAcquire(1, TimeUnit.SECONDS);
        published.drainPermits();
        if (!replica.ready() || System.nanoTime() - looked < PAUSE) {
          continue;
        }
        var snapshot = replica.current();
        long changed = changed(snapshot);
        if (changed > done) {
          looked = System.nanoTime();
          done = repair(snapshot) ? changed : -1;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static long changed(Snapshot snapshot) {
    return FOLLOWED.stream()
        .mapToLong(storage -> snapshot.collection(storage).changed())
        .max()
        .orElseThrow();
  }

  /** Returns whether the run needs no repetition. */
  private boolean repair(Snapshot snapshot) {
    var repair = AddressRepair.of(snapshot, clock.instant());
    boolean done = !repair.undecided();
    for (var address : repair.superfluous()) {
      done &= attempt(address, "belonged to no Service", () -> objects.delete(RESOURCE, address));
    }
    for (var address : repair.missing()) {
      done &= attempt(address, "was missing", () -> objects.create(RESOURCE, address));
    }
    return done;
  }

  /**
   * A failed repair does not stop the others. Another server may just have made the same repair.
   */
  private static boolean attempt(JsonObject address, String fault, Runnable repair) {
    var name = ObjectMeta.name(address);
    try {
      repair.run();
      LOG.warn("the IPAddress {} {}, which is put right", name, fault);
      return true;
    } catch (RuntimeException e) {
      LOG.debug("the IPAddress {} {} and is left for later: {}", name, fault, e.toString());
      return false;
    }
  }
}
