package dev.muster.fleet.identity;

import dev.muster.fleet.observation.ObservedTime;
import dev.muster.fleet.observation.RenewalTracker;
import dev.muster.model.identity.IdentityLease;
import dev.muster.replica.Replica;
import dev.muster.replica.object.StoredObject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * All servers with an identity Lease, of Muster and of other implementations, and the time since
 * the last sign of life of each. One thread at a time checks; any thread may read the result.
 *
 * <p>A sign of life is a Lease that changes while this server watches. The times in Leases matter
 * in one case only: a Lease that is old when this server first sees it, and is not renewed for
 * three of its intervals afterwards, is as old as it says. A wrong clock of either server therefore
 * makes no server seem dead.
 */
public final class FleetMembers {
  /** The namespace of kube-apiserver's Leases. */
  private static final String UPSTREAM_NAMESPACE = "kube-system";

  /**
   * One server.
   *
   * @param silence the time since its last sign of life, as far as known
   * @param renewing whether its Lease was ever seen to be renewed
   */
  public record Member(String namespace, IdentityLease lease, Duration silence, boolean renewing) {
    /** The server's ID. */
    public String id() {
      return lease.id();
    }

    /** Whether it has renewed its Lease within three intervals: the fast answer. */
    public boolean responds() {
      return silence.compareTo(lease.grace()) < 0;
    }

    /** Whether its Lease was watched for long enough to be certain. */
    public boolean certain() {
      return renewing || !responds();
    }
  }

  private record Known(long revision, IdentityLease lease) {}

  private final Replica replica;
  private final InstantSource clock;
  private final Set<String> namespaces;
  private final RenewalTracker<Long> renewalTracker = new RenewalTracker<>();
  private Map<String, Known> known = Map.of();
  private volatile List<Member> members = List.of();

  public FleetMembers(Replica replica, IdentityOptions options, InstantSource clock) {
    this.replica = replica;
    this.clock = clock;
    this.namespaces = new LinkedHashSet<>(List.of(options.namespace(), UPSTREAM_NAMESPACE));
  }

  /** All servers at the last check. */
  public List<Member> all() {
    return members;
  }

  /** The IDs of all servers with a Lease of any age. */
  public Set<String> ids() {
    return members.stream().map(Member::id).collect(Collectors.toUnmodifiableSet());
  }

  /** The IDs of all servers that respond or whose Lease has not expired. */
  public List<String> living() {
    var now = clock.instant();
    return members.stream()
        .filter(member -> member.responds() || !member.lease().expired(now))
        .map(Member::id)
        .toList();
  }

  /** The IDs of the servers that have renewed within three intervals. */
  public List<String> responding() {
    return members.stream().filter(Member::responds).map(Member::id).toList();
  }

  /**
   * Checks all Leases.
   *
   * @param observed the time since the last check
   */
  public void check(ObservedTime.Step observed) {
    var leases = replica.current().collection(OwnLease.STORAGE);
    var now = clock.instant();
    var next = new LinkedHashMap<String, Known>();
    var revisions = new HashMap<String, Long>();
    for (var namespace : namespaces) {
      for (var object : leases.in(namespace)) {
        if (!IdentityLease.LABEL_VALUE.equals(object.label(IdentityLease.LABEL))) {
          continue;
        }
        var key = namespace + "/" + object.name().name();
        next.put(key, read(key, object));
        revisions.put(key, object.revision());
      }
    }
    known = next;
    if (observed.interrupted()) {
      renewalTracker.startAnew();
    }
    renewalTracker.check(revisions, observed.counted());
    var seen = new ArrayList<Member>();
    next.forEach((key, read) -> seen.add(member(key, read.lease(), now)));
    members = List.copyOf(seen);
  }

  private Known read(String key, StoredObject object) {
    var before = known.get(key);
    return before != null && before.revision() == object.revision()
        ? before
        : new Known(object.revision(), IdentityLease.read(object.tree()));
  }

  private Member member(String key, IdentityLease lease, Instant now) {
    var silence = renewalTracker.unchangedFor(key);
    var watched = lease.grace();
    if (!renewalTracker.changes(key) && silence.compareTo(watched) >= 0) {
      var renewed = lease.renewed();
      var said = renewed == null ? Duration.ofDays(1) : Duration.between(renewed, now);
      silence = said.compareTo(silence) > 0 ? said : silence;
    }
    return new Member(
        key.substring(0, key.indexOf('/')), lease, silence, renewalTracker.changes(key));
  }
}
