package dev.muster.cli.status;

import dev.muster.cli.status.FleetStatus.Leader;
import dev.muster.cli.status.FleetStatus.Leadership;
import dev.muster.model.Timestamps;
import dev.muster.model.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the leading controller manager and whether it is alive. If its Lease's renewal time is not
 * current for an unknown reason, it observes the Lease until the next renewal, which also shows the
 * offset of the holder's clock. Not thread-safe.
 */
final class LeaderWatch {
  private static final List<String> CONTROLLER_MANAGERS =
      List.of("muster-controller-manager", "kube-controller-manager");
  private static final Duration LOOK = Duration.ofMillis(500);
  private static final Duration USUAL_LIFE = Duration.ofSeconds(15);

  /** How far a right clock may seem to be ahead, because of request times and rounding. */
  private static final Duration AHEAD = Duration.ofSeconds(2);

  private final StatusReader.Api api;
  private final InstantSource clock;
  private final StatusReader.Patience patience;

  LeaderWatch(StatusReader.Api api, InstantSource clock, StatusReader.Patience patience) {
    this.api = api;
    this.clock = clock;
    this.patience = patience;
  }

  @Nullable Leader watch() throws InterruptedException {
    for (var name : CONTROLLER_MANAGERS) {
      var first = read(name);
      if (!first.string("holderIdentity").isEmpty()) {
        return watch(name, first);
      }
    }
    return null;
  }

  private JsonObject read(String name) {
    return api.get("/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/" + name)
        .object("spec");
  }

  private @Nullable Leader watch(String name, JsonObject first) throws InterruptedException {
    long seconds = first.integer("leaseDurationSeconds", 0);
    var life = seconds > 0 ? Duration.ofSeconds(seconds) : USUAL_LIFE;
    var renewed = Timestamps.read(first.get("renewTime"));
    if (isOfNow(renewed, life)) {
      return leader(name, first, Leadership.LIVE, null, null);
    }
    var waited = Duration.ZERO;
    var most = patience.most().compareTo(life) < 0 ? patience.most() : life;
    while (waited.compareTo(most) < 0) {
      patience.pause().rest(LOOK);
      waited = waited.plus(LOOK);
      var now = read(name);
      if (now.string("holderIdentity").isEmpty()) {
        return null;
      }
      if (!now.equals(first)) {
        var wrote = Timestamps.read(now.get("renewTime"));
        return leader(
            name,
            now,
            Leadership.LIVE,
            Duration.ZERO,
            wrote == null ? null : Duration.between(clock.instant(), wrote));
      }
    }
    // The holder may be alive if the observation was shorter than the Lease's duration.
    var state = waited.compareTo(life) < 0 ? Leadership.DOUBTFUL : Leadership.SILENT;
    return leader(name, first, state, waited.isZero() ? null : waited, null);
  }

  private boolean isOfNow(@Nullable Instant renewed, Duration life) {
    if (renewed == null) {
      return false;
    }
    var age = Duration.between(renewed, clock.instant());
    return age.compareTo(life) < 0 && age.negated().compareTo(AHEAD) < 0;
  }

  private static Leader leader(
      String name,
      JsonObject spec,
      Leadership state,
      @Nullable Duration silence,
      @Nullable Duration clockOffset) {
    return new Leader(
        "kube-system/" + name,
        spec.string("holderIdentity"),
        Timestamps.read(spec.get("acquireTime")),
        Timestamps.read(spec.get("renewTime")),
        state,
        silence,
        clockOffset);
  }
}
