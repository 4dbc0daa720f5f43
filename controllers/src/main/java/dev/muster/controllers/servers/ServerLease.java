package dev.muster.controllers.servers;

import dev.muster.model.Timestamps;
import dev.muster.model.json.JsonObject;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the identity Lease of an API server says.
 *
 * @param holder the server's ID
 * @param renewed null when it was never renewed
 * @param duration null when it does not say
 * @param interval how often its server renews it
 */
public record ServerLease(
    String namespace,
    String name,
    String uid,
    String version,
    String holder,
    @Nullable Instant renewed,
    @Nullable Duration duration,
    Duration interval) {

  /** The label that identity Leases carry, and its value. */
  public static final String LABEL = "apiserver.kubernetes.io/identity";

  public static final String LABEL_VALUE = "kube-apiserver";

  /** After so many renewals missed, a server hangs or is gone. */
  static final int MISSED_RENEWALS = 3;

  private static final String INTERVAL = "muster.dev/renew-interval-seconds";
  private static final Duration USUAL_INTERVAL = Duration.ofSeconds(10);
  private static final int LONGEST_INTERVAL = 300;

  /** Reads a Lease, whoever wrote it. */
  public static ServerLease read(Lease lease) {
    var metadata = lease.getMetadata();
    var spec = lease.getSpec();
    var renewed = spec == null ? null : spec.getRenewTime();
    var seconds = spec == null ? null : spec.getLeaseDurationSeconds();
    var holder = spec == null ? null : spec.getHolderIdentity();
    var annotations = metadata.getAnnotations();
    return new ServerLease(
        Objects.requireNonNullElse(metadata.getNamespace(), ""),
        Objects.requireNonNullElse(metadata.getName(), ""),
        Objects.requireNonNullElse(metadata.getUid(), ""),
        Objects.requireNonNullElse(metadata.getResourceVersion(), ""),
        holder == null || holder.isEmpty()
            ? Objects.requireNonNullElse(metadata.getName(), "")
            : holder,
        renewed == null ? null : renewed.toInstant(),
        seconds == null ? null : Duration.ofSeconds(seconds),
        interval(annotations == null ? Map.of() : annotations));
  }

  /** Reads a Lease as the API server sends it. */
  public static ServerLease read(JsonObject lease) {
    var metadata = lease.object("metadata");
    var spec = lease.object("spec");
    var holder = spec.string("holderIdentity");
    return new ServerLease(
        metadata.string("namespace"),
        metadata.string("name"),
        metadata.string("uid"),
        metadata.string("resourceVersion"),
        holder.isEmpty() ? metadata.string("name") : holder,
        Timestamps.read(spec.get("renewTime")),
        spec.has("leaseDurationSeconds")
            ? Duration.ofSeconds(spec.integer("leaseDurationSeconds", 0))
            : null,
        interval(metadata.object("annotations").strings()));
  }

  private static Duration interval(Map<String, String> annotations) {
    try {
      int seconds = Integer.parseInt(annotations.getOrDefault(INTERVAL, ""));
      return seconds < 1 || seconds > LONGEST_INTERVAL
          ? USUAL_INTERVAL
          : Duration.ofSeconds(seconds);
    } catch (NumberFormatException e) {
      return USUAL_INTERVAL;
    }
  }

  /** Whether it was not renewed for its whole duration, by what it says and by that clock. */
  boolean expired(Instant now) {
    return renewed == null || duration == null || now.isAfter(renewed.plus(duration));
  }

  /** How long somebody has to watch it without a renewal before its server seems to be gone. */
  Duration grace() {
    return interval.multipliedBy(MISSED_RENEWALS);
  }
}
