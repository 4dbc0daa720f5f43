package dev.muster.fleet.endpoints;

import dev.muster.fleet.endpoints.form.Endpoint;
import dev.muster.fleet.endpoints.form.FleetMember;
import dev.muster.fleet.observation.ObservedTime;
import dev.muster.fleet.observation.RenewalTracker;
import dev.muster.store.Entry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decides which servers are alive, by what this server itself has observed. One thread uses it.
 *
 * <pre>
 * observation                                   result
 * entry of the ConfigMap, and a record          alive until the ConfigMap's expiration passes
 * entry of the ConfigMap without a record       ignored: users can write ConfigMaps
 * record gone                                   in doubt until it is silent for too long
 * published without a record at the start       in doubt for the same time
 * silent for too long                           gone
 * </pre>
 *
 * <p>An endpoint in doubt stays published, but is not published anew. The consequences:
 *
 * <ul>
 *   <li>No living server is removed because a store stood still, a limit was lowered or a record
 *       was deleted.
 *   <li>An entry of the ConfigMap alone publishes no address.
 *   <li>Servers that judge differently for a moment never undo one another's work, because each of
 *       them only keeps what is published.
 * </ul>
 */
final class Liveness {
  /** The duration of a record that states none: kube-apiserver's. */
  private static final Duration USUAL = Duration.ofSeconds(15);

  /**
   * A record or entry of a member, with the time since its last change and the limit of that time.
   */
  private record Sign(FleetMember member, Duration silence, Duration limit) {
    boolean shows(Endpoint endpoint) {
      return member.port() == endpoint.port() && member.addresses().contains(endpoint.address());
    }

    Sign of(FleetMember other) {
      return new Sign(other, silence, limit);
    }
  }

  private record Silence(Duration time, Duration limit) {
    boolean isTooLong() {
      return time.compareTo(limit) > 0;
    }

    Silence orShorter(Sign sign) {
      return new Silence(
          time.compareTo(sign.silence()) < 0 ? time : sign.silence(),
          limit.compareTo(sign.limit()) > 0 ? limit : sign.limit());
    }
  }

  private record ReadRecord(Entry entry, LeaseRecords.Content content) {}

  /**
   * An entry of the ConfigMap.
   *
   * @param known whether an endpoint record was seen for it
   */
  private record ReadEntry(String value, FleetMember member, boolean known) {}

  private final OwnRecord self;
  private final ObservedTime time = new ObservedTime();
  private final RenewalTracker<String> renewalTracker = new RenewalTracker<>();
  private final Expiration expiration = new Expiration();
  private Map<String, ReadRecord> records = Map.of();
  private Map<String, ReadEntry> entries = Map.of();
  private Map<Endpoint, Silence> silences = Map.of();
  private Duration upToDate = Duration.ZERO;
  private String trouble = "";

  Liveness(OwnRecord self) {
    this.self = self;
  }

  Expiration expiration() {
    return expiration;
  }

  /** The problem with the settings of the ConfigMap's entries; "" when there is none. */
  String degradedReason() {
    return trouble;
  }

  /** How long a record or an entry was seen unchanged. */
  Duration unchangedFor(String key) {
    return renewalTracker.unchangedFor(key);
  }

  /**
   * Checks the records and entries for renewals. The caller calls it often, because it measures the
   * times without renewal.
   *
   * @param fresh the last moment at which the view was known to be up to date: see {@link
   *     ObservedTime}
   */
  Membership check(EndpointsView view, Duration fresh) {
    upToDate = fresh;
    return check(view);
  }

  /** Checks a newer view at the same moment. */
  Membership check(EndpointsView view) {
    var step = time.advance(upToDate);
    if (step.interrupted()) {
      renewalTracker.startAnew();
    }
    renewalTracker.check(view.versions(), step.counted());
    try {
      expiration.check(view.config(), step.counted());
      trouble = "";
    } catch (IllegalArgumentException e) {
      trouble = String.valueOf(e.getMessage());
    }
    var found = new Found();
    found.readRecords(view);
    found.readEntries(view);
    var ports = KubeApiserverPorts.of(found.signs.stream().map(Sign::member).toList(), view, self);
    found.signs.replaceAll(sign -> sign.of(ports.complete(sign.member())));
    silences = silences(view.published(), found.signs, step);
    return found.membership(view);
  }

  /** Forgets endpoints that no server has any more. */
  void forget(Collection<Endpoint> endpoints) {
    var left = new LinkedHashMap<>(silences);
    left.keySet().removeAll(endpoints);
    silences = left;
  }

  /**
   * For each published endpoint, the time since any server with that endpoint gave a sign of life.
   */
  private Map<Endpoint, Silence> silences(
      Set<Endpoint> published, List<Sign> signs, ObservedTime.Step step) {
    var next = new LinkedHashMap<Endpoint, Silence>();
    for (var endpoint : published) {
      Silence found = null;
      for (var sign : signs) {
        if (sign.shows(endpoint)) {
          found = found == null ? new Silence(sign.silence(), sign.limit()) : found.orShorter(sign);
        }
      }
      var before = silences.get(endpoint);
      if (found == null && step.interrupted()) {
        found = new Silence(Duration.ZERO, before == null ? usualLimit() : before.limit());
      } else if (found == null && before != null) {
        found = new Silence(before.time().plus(step.counted()), before.limit());
      }
      if (found != null) {
        next.put(endpoint, found);
      }
    }
    return next;
  }

  private Duration usualLimit() {
    var longer = self.duration().compareTo(USUAL) > 0 ? self.duration() : USUAL;
    return longer.plus(Expiration.LATENESS);
  }

  /** The records and entries of one view. */
  private final class Found {
    private final List<Sign> signs = new ArrayList<>();
    private final List<Entry> stale = new ArrayList<>();
    private final List<String> expired = new ArrayList<>();
    private final List<String> unknown = new ArrayList<>();
    private final Map<String, String> malformed = new LinkedHashMap<>();

    void readRecords(EndpointsView view) {
      var next = new HashMap<String, ReadRecord>();
      for (var entry : view.entries()) {
        try {
          var before = records.get(entry.key());
          var read =
              before != null && before.entry().modRevision() == entry.modRevision()
                  ? before
                  : new ReadRecord(entry, LeaseRecords.read(entry));
          next.put(entry.key(), read);
          add(read);
        } catch (RuntimeException | StackOverflowError e) {
          malformed.put(entry.key(), String.valueOf(e.getMessage()));
        }
      }
      records = next;
    }

    private void add(ReadRecord read) {
      var content = read.content();
      var silence = renewalTracker.unchangedFor(read.entry().key());
      var member = content.member();
      if (silence.compareTo(content.staleAfter()) > 0) {
        stale.add(read.entry());
      } else if (member != null) {
        var limit = content.duration().plus(Expiration.LATENESS);
        signs.add(new Sign(member, silence, limit));
      }
    }

    void readEntries(EndpointsView view) {
      var next = new HashMap<String, ReadEntry>();
      var recorded = recorded();
      var configMap = view.configMap();
      if (configMap != null) {
        configMap
            .object("data")
            .strings()
            .forEach(
                (key, value) -> {
                  if (ConfigMapRecords.isEntry(key)) {
                    try {
                      next.put(key, read(key, value, recorded));
                    } catch (IllegalArgumentException e) {
                      malformed.put(key, String.valueOf(e.getMessage()));
                    }
                  }
                });
      }
      entries = next;
      next.forEach((key, entry) -> add(key, entry, recorded));
    }

    /** The endpoints of Muster servers, by their records in the store. */
    private Set<Endpoint> recorded() {
      var found = new HashSet<Endpoint>();
      for (var sign : signs) {
        if (sign.member().source() == FleetMember.Source.LEASE) {
          found.addAll(sign.member().endpoints());
        }
      }
      return found;
    }

    private ReadEntry read(String key, String value, Set<Endpoint> recorded) {
      var before = entries.get(key);
      var member =
          before != null && before.value().equals(value)
              ? before.member()
              : ConfigMapRecords.member(key, value);
      boolean known = before != null && before.known();
      return new ReadEntry(value, member, known || recorded.containsAll(member.endpoints()));
    }

    private void add(String key, ReadEntry entry, Set<Endpoint> recorded) {
      var silence = renewalTracker.unchangedFor(key);
      var limit = expiration.limit();
      if (silence.compareTo(limit) > 0) {
        expired.add(key);
      } else if (recorded.containsAll(entry.member().endpoints())) {
        signs.add(new Sign(entry.member(), silence, limit));
      } else if (!entry.known()) {
        unknown.add(key);
      }
    }

    Membership membership(EndpointsView view) {
      var members = new ArrayList<FleetMember>();
      var living = new HashSet<Endpoint>();
      for (var sign : signs) {
        members.add(sign.member());
        living.addAll(sign.member().endpoints());
      }
      boolean mixed =
          members.stream().anyMatch(member -> member.source() == FleetMember.Source.MASTER_LEASE);
      silences.forEach(
          (endpoint, silence) -> {
            if (!living.contains(endpoint)
                && !silence.isTooLong()
                && view.isPublished(endpoint, mixed)) {
              members.add(FleetMember.published(endpoint));
            }
          });
      return new Membership(members, stale, expired, unknown, malformed);
    }
  }
}
