package dev.muster.embedded;

import dev.muster.fleet.Fleet;
import dev.muster.fleet.FleetOptions;
import dev.muster.runtime.PortableNetty;
import dev.muster.server.ApiServer;
import dev.muster.server.ServerExtension;
import dev.muster.server.options.StorageOptions;
import dev.muster.store.MemoryStore;
import dev.muster.store.Transaction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * API servers on one store in memory, with their own clock. One thread at a time starts, changes
 * and closes it.
 */
final class ControlPlane implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ControlPlane.class);
  private static final int RESTORING_ROUNDS = 5;

  /** How late a key may expire by itself; {@link #advance} expires keys at once. */
  private static final Duration TICK = Duration.ofMillis(500);

  private final ClusterCredentials credentials;
  private final FirstObjects firstObjects;
  private final MovableClock clock = new MovableClock();
  private final MemoryStore store = new MemoryStore(clock);
  private final List<ApiServer> servers = new ArrayList<>();
  private final Deque<AutoCloseable> running = new ArrayDeque<>();
  private Duration patience = StorageOptions.defaults().initializationTimeout();
  private volatile boolean admitting;

  private ControlPlane(ClusterCredentials credentials) {
    this.credentials = credentials;
    this.firstObjects = new FirstObjects(credentials.authority());
    running.push(credentials);
    running.push(store);
  }

  /** Returns when all servers listen. */
  static ControlPlane start(ClusterCredentials credentials, MusterOptions options) {
    PortableNetty.choose();
    var plane = new ControlPlane(credentials);
    try {
      plane.startServers(options);
      return plane;
    } catch (RuntimeException | Error e) {
      plane.close();
      throw e;
    }
  }

  private void startServers(MusterOptions options) {
    var settings = ServerSettings.of(credentials, options);
    patience = settings.storage().initializationTimeout();
    try {
      for (int i = 0; i < options.servers(); i++) {
        var extensions = new ArrayList<ServerExtension>();
        if (options.servers() > 1) {
          extensions.addAll(Fleet.extensions(FleetOptions.defaults()));
        }
        if (i == 0) {
          extensions.add(firstObjects);
        }
        extensions.add(new TestAdmission(options.admission(), () -> admitting));
        var server = ApiServer.start(settings, store, extensions, clock);
        running.push(server);
        servers.add(server);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    var ticker = Thread.ofVirtual().name("muster-clock").start(this::tick);
    running.push(ticker::interrupt);
  }

  private void tick() {
    try {
      while (true) {
        Thread.sleep(TICK);
        store.tick();
      }
    } catch (InterruptedException e) {
      log.debug("the clock of a cluster stops");
    }
  }

  /** Begins to pass writes to the test's rules. */
  void admit() {
    admitting = true;
  }

  List<String> urls() {
    return servers.stream()
        .map(server -> "https://127.0.0.1:" + server.addresses().getFirst().getPort())
        .toList();
  }

  Clock clock() {
    return clock;
  }

  Checkpoint checkpoint() {
    return Checkpoint.of(store);
  }

  /** Waits until all servers are ready and have created the objects of every cluster. */
  void awaitReady() {
    Waiting.until(
        patience, () -> servers.stream().allMatch(ApiServer::ready), () -> "API servers not ready");
    var conditions = new StartConditions(servers.size());
    var replica = servers.getFirst().replica();
    Waiting.until(
        patience,
        () -> conditions.missing(replica.current()).isEmpty(),
        () -> "still missing: " + conditions.missing(replica.current()).orElse("nothing"));
  }

  /** Creates the objects that these controllers would create. */
  void complete(Set<String> controllers) {
    firstObjects.complete(controllers);
    awaitApplied();
  }

  /**
   * Restores the cluster to the checkpoint. Each object changes at its own revision, so that
   * watches see ordinary changes and can resume after any of them. When this returns, all servers
   * show the result. Concurrent writes are reverted as well, unless they never stop, because a
   * server may still be deleting the objects of a definition.
   */
  void restore(Checkpoint checkpoint) {
    var operations = checkpoint.restoring(checkpoint());
    for (int round = 0; round < RESTORING_ROUNDS && !operations.isEmpty(); round++) {
      operations.forEach(operation -> store.commit(Transaction.of(operation)).join());
      operations = checkpoint.restoring(checkpoint());
    }
    awaitApplied();
  }

  /**
   * Advances the clock. When this returns, everything that expires by then has expired on all
   * servers.
   */
  void advance(Duration time) {
    clock.advance(time);
    store.tick();
    awaitApplied();
  }

  /** Completes at the next write by any client. */
  CompletableFuture<?> nextChange() {
    return servers.getFirst().replica().applied(store.readIndex().join() + 1);
  }

  private void awaitApplied() {
    long revision = store.readIndex().join();
    for (var server : servers) {
      try {
        server.replica().applied(revision).get(patience.toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted", e);
      } catch (ExecutionException | TimeoutException e) {
        throw new IllegalStateException("revision " + revision + " does not show up", e);
      }
    }
  }

  @Override
  public void close() {
    while (!running.isEmpty()) {
      try {
        running.pop().close();
      } catch (Exception e) {
        log.error("did not stop cleanly", e);
      }
    }
  }
}
