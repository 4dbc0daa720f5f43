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
 * One thread at a time evaluates; the answers may be read by any, at the price of a volatile read.
 * Compares the hashes that the servers report, and knows whose rows have come to an end.
 *
 * <p>Only observed time counts: a server that was paused, or away from the store, has seen no
 * renewals because it did not look.
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

  /** What discovery documents say; never empty. */
  Optional<Boolean> answer() {
    return answer;
  }

  AgreementStatus verdict() {
    return verdict;
  }

  /** Rows that missed three heartbeats, and whose servers are gone as far as can be seen. */
  Set<Row> gone() {
    return gone;
  }

  /** The servers of rows that have no identity Lease, the one that was silent longest first. */
  List<String> withoutLease() {
    return withoutLease;
  }

  /**
   * Looks at rows and Leases again.
   *
   * @param now by a clock that never goes back
   * @param upToDate the last moment at which the replica was known to hold everything
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

  /** A server that has a Lease, or was seen to renew its row, is believed how often it does. */
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
   * Whether a server without a row lives. One that keeps a row, as its Lease says, had it taken
   * away after a long silence: it lives when it is seen to renew its Lease. One that never had a
   * row is believed to live for a while.
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
