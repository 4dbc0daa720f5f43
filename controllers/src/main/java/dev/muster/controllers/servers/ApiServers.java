package dev.muster.controllers.servers;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Safe for any thread; an informer keeps it up to date. The API servers of the fleet, for
 * controllers that need to know which there are.
 *
 * <p>Two answers: {@link #living} is careful, and lists a server until its Lease has expired;
 * {@link #responding} is fast, and lists those that have renewed within three intervals. Use the
 * careful one before anything of a server is thrown away.
 */
public final class ApiServers implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ApiServers.class);

  /**
   * @param since the last sign of life, as far as we can tell
   * @param arrived when this version came to us
   */
  private record Seen(ServerLease lease, long since, long arrived) {}

  private final InstantSource clock;
  private final LongSupplier nanos;
  private final Map<String, Seen> seen = new ConcurrentHashMap<>();
  private @Nullable SharedIndexInformer<Lease> informer;
  private volatile boolean closed;

  ApiServers(InstantSource clock, LongSupplier nanos) {
    this.clock = clock;
    this.nanos = nanos;
  }

  /** Begins to follow the Leases of a namespace; the client stays the caller's. */
  public static ApiServers follow(KubernetesClient client, String namespace, InstantSource clock) {
    var servers = new ApiServers(clock, System::nanoTime);
    var started =
        client
            .leases()
            .inNamespace(namespace)
            .withLabel(ServerLease.LABEL, ServerLease.LABEL_VALUE)
            .runnableInformer(0)
            .addEventHandler(servers.handler());
    started.exceptionHandler(
        (running, failure) -> {
          log.info("API servers cannot be followed now: {}", failure.toString());
          return !servers.closed;
        });
    servers.informer = started;
    started.start();
    return servers;
  }

  /**
   * The IDs of all servers whose Lease has not expired. One that looks expired when we come counts
   * until it was not renewed for three intervals: its clock may be wrong, or ours.
   */
  public List<String> living() {
    var now = clock.instant();
    return ids(entry -> !entry.lease().expired(now) || isWithinGrace(entry, entry.arrived()));
  }

  /** The IDs of the servers that have renewed their Lease within three intervals. */
  public List<String> responding() {
    return ids(entry -> isWithinGrace(entry, entry.since()));
  }

  private boolean isWithinGrace(Seen entry, long time) {
    return nanos.getAsLong() - time < entry.lease().grace().toNanos();
  }

  private List<String> ids(Predicate<Seen> wanted) {
    return seen.values().stream()
        .filter(wanted)
        .map(entry -> entry.lease().holder())
        .sorted()
        .toList();
  }

  /**
   * A Lease that is there when we come counts from then on, unless it says that it is older: a
   * server that lives renews it soon, whatever its clock says.
   */
  void look(ServerLease lease) {
    seen.compute(
        lease.name(),
        (name, before) -> {
          if (before != null && before.lease().version().equals(lease.version())) {
            return before;
          }
          long now = nanos.getAsLong();
          return new Seen(lease, before == null ? firstSeen(lease, now) : now, now);
        });
  }

  private long firstSeen(ServerLease lease, long now) {
    var renewed = lease.renewed();
    boolean old = renewed == null || renewed.plus(lease.grace()).isBefore(clock.instant());
    return old ? now - lease.grace().toNanos() : now;
  }

  void forget(ServerLease lease) {
    seen.remove(lease.name());
  }

  private ResourceEventHandler<Lease> handler() {
    return new ResourceEventHandler<>() {
      @Override
      public void onAdd(Lease lease) {
        look(ServerLease.read(lease));
      }

      @Override
      public void onUpdate(Lease old, Lease lease) {
        look(ServerLease.read(lease));
      }

      @Override
      public void onDelete(Lease lease, boolean unknown) {
        forget(ServerLease.read(lease));
      }
    };
  }

  @Override
  public void close() {
    closed = true;
    var running = informer;
    if (running != null) {
      running.stop();
    }
  }
}
