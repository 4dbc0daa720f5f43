package dev.muster.fleet.discovery;

import dev.muster.fleet.Sightings;
import dev.muster.fleet.discovery.HashRows.Row;
import dev.muster.fleet.identity.FleetMembers;
import dev.muster.fleet.identity.ServerIdentity;
import dev.muster.replica.Replica;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * One thread at a time evaluates; the answers may be read by any, at the price of a volatile read.
 * Compares the hashes that the servers report, and knows whose rows have come to an end.
 *
 * <p>Only time in contact with the store counts, and of a long gap between two looks only a little:
 * a server that was paused, or away from the store, has seen no renewals because it did not look.
 */
final class Agreement {
  private static final Optional<Boolean> YES = Optional.of(true);
  private static final Optional<Boolean> NO = Optional.of(false);

  private final Replica replica;
  private final FleetMembers members;
  private final ServerIdentity identity;
  private final Supplier<String> hash;
  private final DiscoveryHashOptions options;
  private final Sightings<Row> sightings = new Sightings<>();
  private long readRevision = -1;
  private List<Row> rows = List.of();
  private Duration outOfContact = Duration.ZERO;
  private volatile Verdict verdict = Verdict.UNKNOWN;
  private volatile Set<Row> gone = Set.of();
  private volatile Optional<Boolean> answer = NO;

  Agreement(
      Replica replica,
      FleetMembers members,
      ServerIdentity identity,
      Supplier<String> hash,
      DiscoveryHashOptions options) {
    this.replica = replica;
    this.members = members;
    this.identity = identity;
    this.hash = hash;
    this.options = options;
  }

  /** What discovery documents say; never empty. */
  Optional<Boolean> answer() {
    return answer;
  }

  Verdict verdict() {
    return verdict;
  }

  /** Rows that missed three heartbeats. */
  Set<Row> gone() {
    return gone;
  }

  /**
   * Looks at rows and Leases again.
   *
   * @param elapsed the time since the last look
   * @param most how much of it counts
   */
  void evaluate(Duration elapsed, Duration most) {
    if (!replica.ready()) {
      outOfContact = outOfContact.plus(elapsed);
      if (outOfContact.compareTo(options.patience()) >= 0) {
        answer = NO;
      }
      return;
    }
    outOfContact = Duration.ZERO;
    var counted = elapsed.compareTo(most) < 0 ? elapsed : most;
    readRows();
    var byServer = new HashMap<String, Row>();
    rows.forEach(row -> byServer.put(row.server(), row));
    sightings.look(byServer, counted);
    members.look(counted);
    gone = findGone();
    verdict = judge(byServer.keySet());
    answer = verdict.consistent() ? YES : NO;
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
    var found = new HashSet<Row>();
    for (var row : rows) {
      if (sightings.unchangedFor(row.server()).compareTo(options.patience()) >= 0
          && !row.server().equals(ownId())) {
        found.add(row);
      }
    }
    return found;
  }

  private Verdict judge(Set<String> reporting) {
    var own = ownId();
    boolean joined = false;
    var servers = new TreeMap<String, List<String>>();
    for (var row : rows) {
      joined |= row.server().equals(own) && row.hash().equals(hash.get());
      servers.computeIfAbsent(row.hash(), any -> new ArrayList<>()).add(row.server());
    }
    servers.values().forEach(ids -> ids.sort(null));
    var silent = new ArrayList<String>();
    for (var member : members.all()) {
      if (!reporting.contains(member.id())
          && !member.id().equals(own)
          && member.silence().compareTo(options.patienceWithLease(member.lease().interval())) < 0) {
        silent.add(member.id());
      }
    }
    silent.sort(null);
    return new Verdict(joined, servers, silent);
  }

  private String ownId() {
    return identity.id().toString();
  }
}
