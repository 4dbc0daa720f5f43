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
 * One thread owns it. Who lives, as far as this server has seen itself.
 *
 * <pre>
 * record                                   lives
 * entry of the ConfigMap beside a record   may be as silent as the ConfigMap's expiration says
 * entry without a record                   says nothing: users can write ConfigMaps
 * record gone                              in doubt while it was not silent for too long
 * published without a record when we come  in doubt for as long
 * silent for too long                      gone
 * </pre>
 *
 * Who is in doubt stays published and is not published anew. So nobody who lives is taken out
 * because a store stood still, a limit was lowered or a record was deleted; an entry of the
 * ConfigMap brings no address in; and servers that judge differently for a moment never undo one
 * another's work, because each of them only keeps what is there.
 */
final class Liveness {
  /** How long a record lasts whose duration is not known: kube-apiserver's. */
  private static final Duration USUAL = Duration.ofSeconds(15);

  /** A sign of life, how long ago it was seen, and how long ago it may be. */
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
   * @param known whether a record was seen beside it
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

  /** What is wrong with the settings of the ConfigMap's entries; "" when nothing is. */
  String degradedReason() {
    return trouble;
  }

  /** For how long a record or an entry was seen to stay as it is. */
  Duration unchangedFor(String key) {
    return renewalTracker.unchangedFor(key);
  }

  /**
   * Looks at what others renew; to be called often, for this is how silences are measured.
   *
   * @param fresh the last moment at which the view was known to show everything: see {@link
   *     ObservedTime}
   */
  Membership check(EndpointsView view, Duration fresh) {
    upToDate = fresh;
    return check(view);
  }

  /** Looks at a newer view of the same moment. */
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

  /** Those endpoints are not anybody's any more. */
  void forget(Collection<Endpoint> endpoints) {
    var left = new LinkedHashMap<>(silences);
    left.keySet().removeAll(endpoints);
    silences = left;
  }

  /** For each endpoint that is published, how long ago anybody behind it gave a sign of life. */
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

  /** What one view shows of servers. */
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

    /** Where servers of ours are, as their records in the store say. */
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
