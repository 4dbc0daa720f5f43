package dev.muster.fleet.discovery;

import dev.muster.fleet.identity.FleetMembers;
import dev.muster.fleet.identity.IdentityOptions;
import dev.muster.fleet.identity.ServerId;
import dev.muster.fleet.identity.ServerIdentity;
import dev.muster.fleet.observation.FleetEvents;
import dev.muster.fleet.observation.ObservedTime;
import dev.muster.fleet.observation.ReplicaFreshness;
import dev.muster.model.gocompat.GoDuration;
import dev.muster.replica.CoalescedTask;
import dev.muster.server.ServerExtension;
import dev.muster.server.ServerHost;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the hash of this server's discovery documents and compares it with those of its peers.
 * The virtual thread that starts it writes the row. The server's background thread compares, when
 * rows change and once a second. Without the gate {@code EnableCoordinatedDiscoveryDocument} it
 * writes nothing, and documents do not state any agreement.
 */
public final class DiscoveryExtension implements ServerExtension {
  private static final Logger log = LoggerFactory.getLogger(DiscoveryExtension.class);
  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final Duration RETRY = Duration.ofSeconds(1);
  private static final Duration GOODBYE = Duration.ofSeconds(3);
  private static final int MOST_NAMED = 10;

  /** The components that exist while the gate is enabled. */
  private record Parts(
      ServerHost host,
      Supplier<String> hash,
      ReplicaFreshness freshness,
      Agreement agreement,
      HashReporter reporter,
      DiscoveryMetrics metrics,
      FleetEvents events,
      AgreementEvents news) {}

  private final DiscoveryHashOptions options;
  private final IdentityOptions identityOptions;
  private final ServerIdentity identity;
  private final Semaphore due = new Semaphore(0);
  private @Nullable Parts parts;
  private volatile boolean leaving;
  private volatile Duration period;
  private final long born = System.nanoTime();
  private Duration looked = Duration.ZERO;
  private volatile boolean failing;

  public DiscoveryExtension(
      DiscoveryHashOptions options, IdentityOptions identityOptions, ServerIdentity identity) {
    this.options = options;
    this.identityOptions = identityOptions;
    this.identity = identity;
    this.period = options.period();
  }

  @Override
  public void attach(ServerHost host) {
    if (!host.options().api().enabled("EnableCoordinatedDiscoveryDocument", true)) {
      return;
    }
    var made =
        CompletableFuture.supplyAsync(() -> DiscoveryHash.of(host.documents()), host.threads());
    Supplier<String> hash = made::join;
    var members = new FleetMembers(host.replica(), identityOptions, host.clock());
    var agreement =
        new Agreement(host.replica(), members, identity, hash, options, new ObservedTime());
    period = options.period(host.options().api().enabled("APIServerIdentity", true));
    var reporter =
        new HashReporter(
            host.objects(), hash, host.clock(), period, agreement::gone, agreement::withoutLease);
    var events = new FleetEvents(host.objects(), host.clock());
    var all =
        new Parts(
            host,
            hash,
            new ReplicaFreshness(host.replica()),
            agreement,
            reporter,
            new DiscoveryMetrics(host.metrics(), agreement, members, hash),
            events,
            new AgreementEvents(events, host.threads()));
    parts = all;
    host.discovery().tellConsistency(agreement::answer);
    var looking = new CoalescedTask(host.background(), () -> check(all));
    host.replica().onChange(Set.of(HashRows.STORAGE), looking::ask);
    host.background()
        .scheduleWithFixedDelay(
            () -> check(all), LOOK.toMillis(), LOOK.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * Writes the row under that ID before the Lease announces this server, so that its peers never
   * see it without a hash. If the write fails, they do so for a while.
   */
  public void beforeLease(ServerId id) {
    var made = parts;
    if (made != null) {
      report(made, id);
    }
  }

  /** The hash of the served documents; "" without the gate. */
  public String hash() {
    var made = parts;
    return made == null ? "" : made.hash().get();
  }

  private void check(Parts made) {
    var now = Duration.ofNanos(System.nanoTime() - born);
    var elapsed = now.minus(looked);
    looked = now;
    try {
      made.agreement().evaluate(now, made.freshness().lastKnown(now));
      var verdict = made.agreement().verdict();
      made.news().check(verdict, elapsed);
      if ((!verdict.joined() || !made.agreement().gone().isEmpty())
          && due.availablePermits() == 0) {
        due.release();
      }
    } catch (RuntimeException | Error e) {
      log.error("cannot compare what servers serve", e);
    }
  }

  @Override
  public void start() throws InterruptedException {
    var made = parts;
    if (made == null) {
      return;
    }
    try {
      identity.settled().get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
    while (!leaving) {
      boolean done = report(made, identity.id());
      due.drainPermits();
      Thread.sleep(RETRY);
      if (done && !leaving) {
        var _ = due.tryAcquire(jittered(period.minus(RETRY)), TimeUnit.NANOSECONDS);
      }
    }
  }

  private boolean report(Parts made, ServerId id) {
    try {
      var removed = made.reporter().report(id);
      if (!removed.isEmpty()) {
        made.metrics().removed(removed.size());
        report(made, removed);
      }
      if (failing) {
        failing = false;
        log.info("the discovery hash is reported again");
      }
      return true;
    } catch (RuntimeException | Error e) {
      made.metrics().failed();
      if (!failing) {
        failing = true;
        log.warn("the discovery hash cannot be reported: {}", e.toString());
      }
      return false;
    }
  }

  /** Reports each removed row, or all of them together when they are many. */
  private static void report(Parts made, Set<HashRows.Row> removed) {
    if (removed.size() <= MOST_NAMED) {
      removed.forEach(row -> report(made, row));
      return;
    }
    var first = removed.stream().map(HashRows.Row::server).sorted().limit(MOST_NAMED).toList();
    var text =
        "the rows of %s and %d others are removed: not renewed for as long as they may be"
            .formatted(String.join(", ", first), removed.size() - MOST_NAMED);
    log.info("{}", text);
    made.events().report(AgreementEvents.SUBJECT, false, "DiscoveryHashRemoved", text);
  }

  private static void report(Parts made, HashRows.Row row) {
    var text =
        "the row of %s is removed: not renewed for %s, last at %s"
            .formatted(row.server(), GoDuration.format(row.patience()), row.heartbeat());
    log.info("{}", text);
    made.events().report(AgreementEvents.SUBJECT, false, "DiscoveryHashRemoved", text);
  }

  private static long jittered(Duration pause) {
    return (long) (pause.toNanos() * RandomGenerator.getDefault().nextDouble(0.9, 1));
  }

  /** Removes the row, unless the store takes too long to answer. */
  @Override
  public void leave() {
    leaving = true;
    due.release();
    var made = parts;
    if (made == null) {
      return;
    }
    var goodbye = made.host().threads().submit(() -> made.reporter().withdraw());
    try {
      goodbye.get(GOODBYE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      goodbye.cancel(true);
      log.warn("the row of {} stays until others remove it: {}", identity.id(), e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
