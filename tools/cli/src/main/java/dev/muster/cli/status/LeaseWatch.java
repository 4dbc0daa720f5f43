package dev.muster.cli.status;

import dev.muster.cli.status.FleetStatus.State;
import dev.muster.model.identity.IdentityLease;
import dev.muster.model.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds which servers are alive. The asked server observes all Leases and reports how long each was
 * silent. For Leases without such a report (the server has just started, is a kube-apiserver, or
 * denies access), those that look old or lie in the future are observed here for about one renewal
 * interval. Not thread-safe.
 */
final class LeaseWatch {
  private static final Duration LOOK = Duration.ofMillis(500);
  private static final Duration LATENESS = Duration.ofSeconds(2);
  private static final Pattern SILENCE =
      Pattern.compile(
          "^apiserver_identity_lease_silence_seconds\\{apiserver_id=\"([^\"]*)\"} (\\S+)$",
          Pattern.MULTILINE);

  private final StatusReader.Api api;
  private final List<String> namespaces;
  private final InstantSource clock;
  private final StatusReader.Patience patience;
  private final Map<String, Duration> silences = new HashMap<>();
  private List<JsonObject> objects = List.of();

  LeaseWatch(
      StatusReader.Api api,
      List<String> namespaces,
      InstantSource clock,
      StatusReader.Patience patience) {
    this.api = api;
    this.namespaces = List.copyOf(new LinkedHashSet<>(namespaces));
    this.clock = clock;
    this.patience = patience;
  }

  /** Reads the Leases, and observes those that cannot be decided otherwise. */
  void watch() throws InterruptedException {
    objects = read();
    var told = SILENCE.matcher(api.text("/metrics"));
    while (told.find()) {
      try {
        silences.put(
            told.group(1), Duration.ofMillis((long) (Double.parseDouble(told.group(2)) * 1000)));
      } catch (NumberFormatException e) {
        // An unparsable number counts as no report.
      }
    }
    var first = versions();
    var waited = Duration.ZERO;
    while (waited.compareTo(stillToWatch()) < 0) {
      patience.pause().rest(LOOK);
      waited = waited.plus(LOOK);
      objects = read();
      versions()
          .forEach(
              (id, version) -> {
                var before = first.get(id);
                if (before == null || !before.equals(version)) {
                  silences.putIfAbsent(id, Duration.ZERO);
                }
              });
    }
  }

  /** How long to observe until the slowest doubtful server must have renewed its Lease. */
  private Duration stillToWatch() {
    var longest = Duration.ZERO;
    for (var object : objects) {
      var lease = IdentityLease.read(object);
      if (!silences.containsKey(id(lease)) && !looksAlive(lease, clock.instant())) {
        var needed = lease.interval().plus(lease.interval().dividedBy(10)).plus(LATENESS);
        longest = needed.compareTo(longest) > 0 ? needed : longest;
      }
    }
    return longest.compareTo(patience.most()) < 0 ? longest : patience.most();
  }

  private List<JsonObject> read() {
    var found = new ArrayList<JsonObject>();
    for (var namespace : namespaces) {
      var path =
          "/apis/coordination.k8s.io/v1/namespaces/"
              + namespace
              + "/leases?labelSelector="
              + IdentityLease.LABEL
              + "%3D"
              + IdentityLease.LABEL_VALUE;
      found.addAll(api.get(path).array("items").objects());
    }
    return found;
  }

  private Map<String, String> versions() {
    var versions = new HashMap<String, String>();
    for (var object : objects) {
      versions.put(
          id(IdentityLease.read(object)), object.object("metadata").string("resourceVersion"));
    }
    return versions;
  }

  /** The last read Leases. */
  List<JsonObject> objects() {
    return objects;
  }

  static String id(IdentityLease lease) {
    return lease.id();
  }

  /** The time since an observed renewal; null when the Lease was not observed. */
  @Nullable Duration silence(JsonObject object) {
    return silences.get(id(IdentityLease.read(object)));
  }

  State state(JsonObject object, Instant now) {
    var lease = IdentityLease.read(object);
    var silence = silences.get(id(lease));
    boolean lives = silence == null ? looksAlive(lease, now) : silence.compareTo(grace(lease)) < 0;
    if (lives) {
      return State.LIVE;
    }
    return lease.expired(now) ? State.EXPIRED : State.LATE;
  }

  /** Whether a live server with a right clock may have written that time. */
  private static boolean looksAlive(IdentityLease lease, Instant now) {
    var renewed = lease.renewed();
    return renewed != null && Duration.between(renewed, now).abs().compareTo(grace(lease)) < 0;
  }

  private static Duration grace(IdentityLease lease) {
    return lease.grace();
  }
}
