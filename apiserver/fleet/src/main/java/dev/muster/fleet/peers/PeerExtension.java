package dev.muster.fleet.peers;

import dev.muster.fleet.identity.FleetMembers;
import dev.muster.fleet.identity.IdentityOptions;
import dev.muster.fleet.identity.ServerIdentity;
import dev.muster.fleet.observation.ObservedTime;
import dev.muster.fleet.observation.ReplicaFreshness;
import dev.muster.fleet.peers.PeerCatalogue.Living;
import dev.muster.model.address.Ip;
import dev.muster.model.json.JsonObject;
import dev.muster.server.ServerExtension;
import dev.muster.server.ServerHost;
import dev.muster.server.peers.FleetPeer;
import dev.muster.server.peers.PeerDirectory;
import dev.muster.server.proxy.BackendException;
import dev.muster.store.Operation;
import dev.muster.store.Transaction;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Exchanges addresses and discovery documents with peers, so that each can forward requests to the
 * others. It runs on the virtual thread that starts it, and fetches documents on others. Without
 * the gate {@code UnknownVersionInteroperabilityProxy} it writes nothing, and requests are not
 * forwarded. Without {@code --peer-ca-file} peers may forward requests to this server, but it
 * forwards none.
 */
public final class PeerExtension implements ServerExtension {
  private static final Logger log = LoggerFactory.getLogger(PeerExtension.class);
  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration GOODBYE = Duration.ofSeconds(2);
  private static final String ALONE =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList;profile=nopeer,"
          + "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

  /** The components that exist while this server forwards requests. */
  private record Parts(
      FleetMembers members,
      ReplicaFreshness freshness,
      ObservedTime time,
      DefinedVersions defined,
      PeerCatalogue catalogue,
      PeerDiscoveryMetrics metrics) {}

  private final PeerOptions options;
  private final IdentityOptions identityOptions;
  private final ServerIdentity identity;
  private final long born = System.nanoTime();
  private final Semaphore due = new Semaphore(0);
  private final ConcurrentLinkedQueue<Runnable> arrived = new ConcurrentLinkedQueue<>();
  private @Nullable ServerHost host;
  private @Nullable Parts parts;
  private long written;
  private volatile boolean leaving;

  public PeerExtension(
      PeerOptions options, IdentityOptions identityOptions, ServerIdentity identity) {
    this.options = options;
    this.identityOptions = identityOptions;
    this.identity = identity;
  }

  @Override
  public void attach(ServerHost lent) {
    if (!lent.options().api().enabled(PeerOptions.GATE, true)) {
      return;
    }
    host = lent;
    var authorities = options.authorities();
    if (authorities == null) {
      return;
    }
    var catalogue = new PeerCatalogue(new AuthoritiesFile(authorities));
    parts =
        new Parts(
            new FleetMembers(lent.replica(), identityOptions, lent.clock()),
            new ReplicaFreshness(lent.replica()),
            new ObservedTime(),
            new DefinedVersions(lent.replica()),
            catalogue,
            new PeerDiscoveryMetrics(lent.metrics()));
    lent.peers().use(catalogue);
    lent.discovery().include(catalogue::groups);
    lent.replica().onChange(Set.of("/leases"), due::release);
  }

  /** The address at which peers reach this server; "" when they must not. */
  public String advertised() {
    var server = host;
    return server == null ? "" : Ip.of(address(server)).host() + ":" + port(server);
  }

  private InetAddress address(ServerHost server) {
    var chosen = options.address();
    return chosen == null ? server.advertised().addresses().getFirst() : chosen;
  }

  private int port(ServerHost server) {
    return options.port() == 0 ? server.port().getAsInt() : options.port();
  }

  @Override
  public void start() throws InterruptedException {
    var server = host;
    if (server == null) {
      return;
    }
    try {
      identity.settled().get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
    var renewed = Duration.ZERO.minus(PeerRecord.RENEWAL);
    while (!leaving) {
      if (now().minus(renewed).compareTo(PeerRecord.RENEWAL) >= 0 && record(server)) {
        renewed = now();
      }
      check(server);
      var _ = due.tryAcquire(LOOK.toMillis(), TimeUnit.MILLISECONDS);
      due.drainPermits();
    }
  }

  private Duration now() {
    return Duration.ofNanos(System.nanoTime() - born);
  }

  private boolean record(ServerHost server) throws InterruptedException {
    var id = identity.id().leaseName();
    try {
      return commit(server, PeerRecord.put(id, address(server), port(server), ++written));
    } catch (ExecutionException | TimeoutException e) {
      log.debug("the record for other servers cannot be written: {}", e.toString());
      return false;
    }
  }

  private static boolean commit(ServerHost server, Operation operation)
      throws InterruptedException, ExecutionException, TimeoutException {
    server
        .store()
        .commit(Transaction.of(operation))
        .toCompletableFuture()
        .get(GOODBYE.toMillis(), TimeUnit.MILLISECONDS);
    return true;
  }

  private void check(ServerHost server) {
    var made = parts;
    if (made == null) {
      return;
    }
    try {
      for (var document = arrived.poll(); document != null; document = arrived.poll()) {
        document.run();
      }
      var now = now();
      made.members().check(made.time().advance(made.freshness().lastKnown(now)));
      made.catalogue()
          .check(living(made.members()), responding(made.members()), made.defined().check(), now)
          .forEach(wanted -> server.threads().execute(() -> fetch(server, made, wanted)));
    } catch (RuntimeException | Error e) {
      log.error("cannot look at what other servers serve", e);
    }
  }

  private List<Living> living(FleetMembers members) {
    var ids = members.living();
    var own = identity.id().leaseName();
    var living = new ArrayList<Living>();
    for (var member : members.all()) {
      var lease = member.lease();
      if (ids.contains(member.id()) && !lease.name().equals(own)) {
        living.add(new Living(peer(lease.name(), lease.peerAddress()), member.id() + lease.hash()));
      }
    }
    living.sort(Comparator.comparing(server -> server.peer().id()));
    return living;
  }

  private static Set<String> responding(FleetMembers members) {
    return members.all().stream()
        .filter(FleetMembers.Member::responds)
        .map(member -> member.lease().name())
        .collect(Collectors.toSet());
  }

  /** A malformed address counts as none. */
  static FleetPeer peer(String id, String address) {
    int colon = address.lastIndexOf(':');
    try {
      int port = Integer.parseInt(address.substring(colon + 1));
      var host = Ip.parse(address.substring(0, colon).replaceAll("^\\[|]$", ""));
      if (port > 0 && port <= 65_535) {
        return new FleetPeer(id, host.toString(), port);
      }
    } catch (IllegalArgumentException | StringIndexOutOfBoundsException e) {
      log.debug("the address {} of {} cannot be read", address, id);
    }
    return new FleetPeer(id, "", 0);
  }

  private void fetch(ServerHost server, Parts made, Living wanted) {
    Runnable outcome;
    try {
      var documents = new ArrayList<JsonObject>();
      for (var path : List.of("/api", "/apis")) {
        var answer = server.peers().document(wanted.peer(), path, ALONE, PATIENCE);
        if (answer.status() != 200) {
          throw new BackendException("it answers " + answer.status() + " to " + path);
        }
        documents.add(answer.object());
      }
      var document = PeerDocument.of(documents);
      log.info("{} says what it serves", wanted.peer().id());
      outcome = () -> made.catalogue().received(wanted, document);
    } catch (BackendException | RuntimeException e) {
      made.metrics().failed();
      log.info("{} does not say what it serves: {}", wanted.peer().id(), e.toString());
      outcome = () -> made.catalogue().failed(wanted, now());
    }
    arrived.add(outcome);
    due.release();
  }

  /** Deletes the record, unless the store takes too long to answer. */
  @Override
  public void leave() {
    leaving = true;
    due.release();
    var server = host;
    if (server == null) {
      return;
    }
    server.peers().use(PeerDirectory.NONE);
    try {
      commit(server, PeerRecord.delete(identity.id().leaseName()));
    } catch (ExecutionException | TimeoutException e) {
      log.debug("the record for other servers expires by itself: {}", e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
