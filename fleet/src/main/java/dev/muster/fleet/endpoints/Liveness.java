package dev.muster.fleet.endpoints;

import dev.muster.fleet.endpoints.form.Endpoint;
import dev.muster.fleet.endpoints.form.FleetMember;
import dev.muster.fleet.observation.ObservedTime;
import dev.muster.fleet.observation.Sightings;
import dev.muster.store.Entry;
import java.time.Duration;
import java.time.Instant;
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
 * record, or entry that is renewed or stamped now   lives
 * entry with any other stamp                        in doubt until it is renewed
 * record or entry gone                              in doubt while it was not silent for too long
 * published without a record when we come           in doubt for as long
 * silent for too long                               gone
 * </pre>
 *
 * Who is in doubt stays published and is not published anew. So nobody who lives is taken out
 * because a store stood still, a limit was lowered or a record was deleted; nobody comes in because
 * of a stamp of the past; and servers that judge differently for a moment never undo one another's
 * work, because each of them only keeps what is there.
 */
final class Liveness {
  /** How long a record lasts whose duration is not known: kube-apiserver's. */
  private static final Duration USUAL = Duration.ofSeconds(15);

  /** A sign of life, how long ago it was seen, and how long ago it may be. */
  private record Sign(FleetMember member, Duration silence, Duration limit, boolean doubted) {
    boolean shows(Endpoint endpoint) {
      return member.port() == endpoint.port() && member.addresses().contains(endpoint.address());
    }

    Sign of(FleetMember other) {
      return new Sign(other, silence, limit, doubted);
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
   * @param renewed whether it was seen to go on by about the time of a renewal
   */
  private record ReadEntry(String value, Instant stamp, FleetMember member, boolean renewed) {}

  private final OwnRecord self;
  private final ObservedTime time = new ObservedTime();
  private final Sightings<String> sightings = new Sightings<>();
  private final Expiration expiration = new Expiration();
  private Map<String, ReadRecord> records = Map.of();
  private Map<String, ReadEntry> entries = Map.of();
  private Map<Endpoint, Silence> silences = Map.of();
  private Instant now = Instant.EPOCH;
  private Duration upToDate = Duration.ZERO;
  private String trouble = "";

  Liveness(OwnRecord self) {
    this.self = self;
  }

  Expiration expiration() {
    return expiration;
  }

  /** What is wrong with the settings of the ConfigMap's entries; "" when nothing is. */
  String trouble() {
    return trouble;
  }

  /** For how long a record or an entry was seen to stay as it is. */
  Duration unchangedFor(String key) {
    return sightings.unchangedFor(key);
  }

  /**
   * Looks at what others renew; to be called often, for this is how silences are measured.
   *
   * @param clock this server's, which is asked only about entries that were never seen renewed
   * @param fresh the last moment at which the view was known to show everything: see {@link
   *     ObservedTime}
   */
  Membership look(EndpointsView view, Instant clock, Duration fresh) {
    now = clock;
    upToDate = fresh;
    return look(view);
  }

  /** Looks at a newer view of the same moment. */
  Membership look(EndpointsView view) {
    var step = time.advance(upToDate);
    if (step.interrupted()) {
      sightings.startAnew();
    }
    sightings.look(view.versions(), step.counted());
    try {
      expiration.look(view.config(), step.counted());
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
      var silence = sightings.unchangedFor(read.entry().key());
      var member = content.member();
      if (silence.compareTo(content.staleAfter()) > 0) {
        stale.add(read.entry());
      } else if (member != null) {
        var limit = content.duration().plus(Expiration.LATENESS);
        signs.add(new Sign(member, silence, limit, false));
      }
    }

    void readEntries(EndpointsView view) {
      var next = new HashMap<String, ReadEntry>();
      var configMap = view.configMap();
      if (configMap != null) {
        configMap
            .object("data")
            .strings()
            .forEach(
                (key, value) -> {
                  if (ConfigMapRecords.isEntry(key)) {
                    try {
                      next.put(key, read(key, value));
                    } catch (IllegalArgumentException e) {
                      malformed.put(key, String.valueOf(e.getMessage()));
                    }
                  }
                });
      }
      entries = next;
      next.forEach(this::add);
    }

    private ReadEntry read(String key, String value) {
      var before = entries.get(key);
      if (before != null && before.value().equals(value)) {
        return before;
      }
      var member = ConfigMapRecords.member(key, value);
      var stamp = Instant.parse(value);
      boolean renewed =
          before != null && isNear(before.stamp(), stamp, expiration.limit().multipliedBy(2));
      return new ReadEntry(value, stamp, member, renewed);
    }

    private void add(String key, ReadEntry entry) {
      var silence = sightings.unchangedFor(key);
      var limit = expiration.limit();
      if (silence.compareTo(limit) > 0) {
        expired.add(key);
        return;
      }
      boolean own = self.endpoints().containsAll(entry.member().endpoints());
      boolean doubted = !own && !entry.renewed() && !isNear(entry.stamp(), now, limit);
      signs.add(new Sign(entry.member(), silence, limit, doubted));
    }

    private static boolean isNear(Instant one, Instant other, Duration distance) {
      return Duration.between(one, other).abs().compareTo(distance) <= 0;
    }

    Membership membership(EndpointsView view) {
      var members = new ArrayList<FleetMember>();
      var living = new HashSet<Endpoint>();
      for (var sign : signs) {
        if (!sign.doubted()) {
          members.add(sign.member());
          living.addAll(sign.member().endpoints());
        }
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
      return new Membership(members, stale, expired, malformed);
    }
  }
}
