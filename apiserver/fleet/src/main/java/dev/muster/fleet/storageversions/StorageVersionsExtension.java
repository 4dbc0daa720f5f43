package dev.muster.fleet.storageversions;

import dev.muster.authorization.Authorizer;
import dev.muster.fleet.identity.ServerIdentity;
import dev.muster.registry.admission.Admission;
import dev.muster.server.ServerExtension;
import dev.muster.server.ServerHost;
import dev.muster.types.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the storage versions of this server. Virtual threads write the entries when types or
 * StorageVersions change. It needs the gates {@code StorageVersionAPI} and {@code
 * APIServerIdentity}, and StorageVersions must be served.
 *
 * <p>The server writes its entries after its Lease, because a collector removes entries without
 * one. The entries stay when the server leaves: it still answers then, and its peers must know in
 * which version it writes. The collector removes them once the Lease has been gone for a while.
 */
public final class StorageVersionsExtension implements ServerExtension {
  private static final Logger log = LoggerFactory.getLogger(StorageVersionsExtension.class);
  private static final String HOOK = "built-in-resources-storage-version-updater";
  private static final Duration RETRY = Duration.ofSeconds(1);

  /** How often entries are compared even without a change. */
  private static final Duration RESYNC = Duration.ofMinutes(10);

  private final ServerIdentity identity;
  private final RegistrationBarrier barrier;
  private final Semaphore news = new Semaphore(0);
  private @Nullable ServerHost host;
  private Runnable hook = () -> {};
  private volatile boolean leaving;
  private long seenVersions = -1;
  private @Nullable Types seenTypes;

  /**
   * @param leaseNamespace the namespace of identity Leases
   */
  public StorageVersionsExtension(ServerIdentity identity, String leaseNamespace) {
    this.identity = identity;
    this.barrier = new RegistrationBarrier(leaseNamespace);
  }

  @Override
  public List<Admission> admission(Authorizer authorizer) {
    return List.of(barrier);
  }

  @Override
  public void attach(ServerHost lent) {
    var api = lent.options().api();
    if (!api.enabled("StorageVersionAPI") || !api.enabled("APIServerIdentity")) {
      return;
    }
    var type = Types.in(lent.replica()).known(StorageVersionObjects.RESOURCE);
    if (type == null || !type.isServed()) {
      log.warn(
          "StorageVersionAPI does nothing without"
              + " --runtime-config=internal.apiserver.k8s.io/v1alpha1=true");
      return;
    }
    host = lent;
    hook = lent.health().addHook(HOOK);
    barrier.raise();
    lent.replica().onPublish(() -> published(lent));
  }

  /** The applier's thread runs this: it only compares revisions. */
  private void published(ServerHost made) {
    var snapshot = made.replica().current();
    long changed = snapshot.collection(StorageVersionObjects.STORAGE).changed();
    var types = Types.in(snapshot);
    if (changed != seenVersions || types != seenTypes) {
      seenVersions = changed;
      seenTypes = types;
      news.release();
    }
  }

  @Override
  public void start() throws InterruptedException {
    var made = host;
    if (made == null) {
      return;
    }
    try {
      identity.settled().get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
    var objects = new StorageVersionObjects(made.objects(), made.clock());
    boolean told = false;
    while (!leaving) {
      news.drainPermits();
      boolean done = report(made, objects);
      if (done && !told) {
        told = true;
        barrier.lower();
        hook.run();
        log.info("the fleet knows in which versions this server stores");
      }
      Thread.sleep(RETRY);
      if (done && !leaving) {
        var _ = news.tryAcquire(RESYNC.toMillis(), TimeUnit.MILLISECONDS);
      }
    }
  }

  /** Writes this server's entries; false when some writes failed. */
  private boolean report(ServerHost made, StorageVersionObjects objects)
      throws InterruptedException {
    var server = identity.id().leaseName();
    var snapshot = made.replica().current();
    var stored = snapshot.collection(StorageVersionObjects.STORAGE);
    var work = new ArrayList<Callable<Boolean>>();
    var wanted = new HashSet<String>();
    for (var entry : StorageEntry.of(Types.in(snapshot))) {
      wanted.add(entry.name());
      var json = entry.json(server);
      var object = stored.get("", entry.name());
      if (StorageVersionObjects.says(object == null ? null : object.tree(), json)) {
        barrier.pass(entry.storage());
      } else {
        work.add(
            () -> {
              objects.put(entry.name(), json);
              barrier.pass(entry.storage());
              return true;
            });
      }
    }
    for (var object : stored.all()) {
      var name = object.name().name();
      if (!wanted.contains(name) && StorageVersionObjects.mentions(object.tree(), server)) {
        work.add(
            () -> {
              objects.remove(name, server);
              return true;
            });
      }
    }
    return allDone(made, work);
  }

  private boolean allDone(ServerHost made, List<Callable<Boolean>> work)
      throws InterruptedException {
    boolean done = true;
    for (var one : made.threads().invokeAll(work)) {
      try {
        one.get();
      } catch (ExecutionException e) {
        done = false;
        barrier.failed(String.valueOf(e.getCause()));
        log.warn("a storage version cannot be told now: {}", String.valueOf(e.getCause()));
      }
    }
    return done;
  }

  @Override
  public void leave() {
    leaving = true;
    news.release();
  }
}
