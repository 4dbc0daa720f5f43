package dev.muster.fleet.discovery;

import dev.muster.fleet.discovery.HashRows.Row;
import dev.muster.fleet.identity.FleetMembers;
import dev.muster.fleet.identity.ServerIdentity;
import dev.muster.fleet.observation.ObservedTime;
import dev.muster.fleet.observation.RenewalTracker;
import dev.muster.replica.Replica;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Compares the discovery hashes that the servers report, and decides whose rows have expired. One
 * thread at a time evaluates; any thread may read the results, at the price of a volatile read.
 *
 * <p>Only observed time counts: a server that was paused, or could not reach the store, could not
 * see any renewals.
 */
final class Agreement {
  private static final Optional<Boolean> YES = Optional.of(true);
  private static final Optional<Boolean> NO = Optional.of(false);

  private final Replica replica;
  private final FleetMembers members;
  private final ServerIdentity identity;
  private final Supplier<String> hash;
  private final DiscoveryHashOptions options;
  private final ObservedTime time;
  private final RenewalTracker<Row> renewalTracker = new RenewalTracker<>();
  private long readRevision = -1;
  private List<Row> rows = List.of();
  private volatile AgreementStatus verdict = AgreementStatus.UNKNOWN;
  private volatile Set<Row> gone = Set.of();
  private volatile List<String> withoutLease = List.of();
  private volatile Optional<Boolean> answer = NO;

  Agreement(
      Replica replica,
      FleetMembers members,
      ServerIdentity identity,
      Supplier<String> hash,
      DiscoveryHashOptions options,
      ObservedTime time) {
    this.replica = replica;
    this.members = members;
    this.identity = identity;
    this.hash = hash;
    this.options = options;
    this.time = time;
  }

  /** Whether all servers serve the same, for discovery documents; never empty. */
  Optional<Boolean> answer() {
    return answer;
  }

  AgreementStatus verdict() {
    return verdict;
  }

  /** Rows that missed three heartbeats and whose servers seem to be gone. */
  Set<Row> gone() {
    return gone;
  }

  /** The servers of rows without an identity Lease, the longest silent one first. */
  List<String> withoutLease() {
    return withoutLease;
  }

  /**
   * Evaluates rows and Leases.
   *
   * @param now by a monotonic clock
   * @param upToDate the last moment at which the replica was known to be up to date
   */
  void evaluate(Duration now, Duration upToDate) {
    boolean blind = now.minus(upToDate).compareTo(options.patience()) >= 0;
    if (blind) {
      answer = NO;
    }
    if (!replica.ready()) {
      return;
    }
    var step = time.advance(upToDate);
    readRows();
    var byServer = new HashMap<String, Row>();
    rows.forEach(row -> byServer.put(row.server(), row));
    if (step.interrupted()) {
      renewalTracker.startAnew();
    }
    renewalTracker.check(byServer, step.counted());
    members.check(step);
    gone = findGone();
    withoutLease = findWithoutLease();
    verdict = evaluate(byServer.keySet());
    answer = verdict.consistent() && !blind ? YES : NO;
  }

  private void readRows() {
    var object = replica.current().collection(HashRows.STORAGE).get("", HashRows.NAME);
    long revision = object == null ? 0 : object.revision();
    if (revision != readRevision) {
      rows = HashRows.read(object == null ? null : object.tree());
      readRevision = revision;
    }
  }

  private Set<Row> findGone() {
    var living = new HashSet<>(members.responding());
    living.add(ownId());
    var known = members.ids();
    var found = new HashSet<Row>();
    for (var row : rows) {
      if (renewalTracker.unchangedFor(row.server()).compareTo(patience(row, known)) >= 0
          && !living.contains(row.server())) {
        found.add(row);
      }
    }
    return found;
  }

  /** The stated period of a row counts if its server has a Lease or was seen to renew the row. */
  private Duration patience(Row row, Set<String> withLease) {
    return withLease.contains(row.server()) || renewalTracker.changes(row.server())
        ? row.patience()
        : row.patienceWithStranger();
  }

  private List<String> findWithoutLease() {
    var living = new HashSet<>(members.living());
    living.add(ownId());
    return rows.stream()
        .map(Row::server)
        .filter(server -> !living.contains(server))
        .sorted(Comparator.comparing(renewalTracker::unchangedFor).reversed())
        .toList();
  }

  private AgreementStatus evaluate(Set<String> reporting) {
    var own = ownId();
    boolean joined = false;
    var servers = new TreeMap<String, List<String>>();
    for (var row : rows) {
      joined |= row.server().equals(own) && row.hash().equals(hash.get());
      servers.computeIfAbsent(row.hash(), any -> new ArrayList<>()).add(row.server());
    }
    servers.values().forEach(ids -> ids.sort(null));
    var silent = new TreeSet<String>();
    for (var member : members.all()) {
      if (!reporting.contains(member.id()) && !member.id().equals(own) && isThere(member)) {
        silent.add(member.id());
      }
    }
    return new AgreementStatus(joined, servers, List.copyOf(silent));
  }

  /**
   * Whether a server without a row is alive. If its Lease says that it keeps a row, the row was
   * removed after a long silence, and the server is alive once it is seen to renew its Lease. A
   * server that never had a row is assumed to be alive for a while.
   */
  private boolean isThere(FleetMembers.Member member) {
    return member.lease().hash().isEmpty()
        ? member.silence().compareTo(options.patienceWithLease(member.lease().interval())) < 0
        : member.renewing() && member.responds();
  }

  private String ownId() {
    return identity.id().toString();
  }
}
