package dev.muster.fleet.observation;

import dev.muster.model.GroupVersionResource;
import dev.muster.model.Timestamps;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.server.start.RegistryObjects;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes Events about the fleet. Thread-safe. The same report from several servers is one Event,
 * because its name is a hash of its content.
 */
public final class FleetEvents {
  private static final Logger log = LoggerFactory.getLogger(FleetEvents.class);
  private static final GroupVersionResource EVENTS = new GroupVersionResource("", "v1", "events");
  private static final Duration REPEATED = Duration.ofMinutes(1);

  private final RegistryObjects objects;
  private final InstantSource clock;

  public FleetEvents(RegistryObjects objects, InstantSource clock) {
    this.objects = objects;
    this.clock = clock;
  }

  /** The object of an Event. */
  public record Subject(String apiVersion, String kind, String namespace, String name) {}

  /** Writes the Event. Blocks. If the write fails, the log says so and the Event is lost. */
  public void report(Subject subject, boolean warning, String reason, String message) {
    var namespace = subject.namespace().isEmpty() ? "default" : subject.namespace();
    var name = subject.name() + "." + digest(subject + reason + message);
    try {
      objects.change(
          EVENTS,
          namespace,
          name,
          old -> event(subject, namespace, name, warning, reason, message, old));
    } catch (ApiException e) {
      log.info("no event {} ({}): {}", reason, message, e.getMessage());
    }
  }

  private @Nullable JsonObject event(
      Subject subject,
      String namespace,
      String name,
      boolean warning,
      String reason,
      String message,
      @Nullable JsonObject old) {
    var now = clock.instant();
    var time = Timestamps.format(now);
    if (old != null) {
      var last = Timestamps.read(old.get("lastTimestamp"));
      boolean same = last != null && Duration.between(last, now).compareTo(REPEATED) < 0;
      return same
          ? null
          : old.with("lastTimestamp", time).with("count", old.integer("count", 1) + 1);
    }
    var involved = JsonObject.builder();
    involved.put("kind", subject.kind()).putIf("namespace", subject.namespace());
    involved.put("name", subject.name()).put("apiVersion", subject.apiVersion());
    return JsonObject.builder()
        .put("apiVersion", "v1")
        .put("kind", "Event")
        .put("metadata", JsonObject.of("name", name, "namespace", namespace))
        .put("involvedObject", involved.build())
        .put("reason", reason)
        .put("message", message)
        .put("source", JsonObject.of("component", "kube-apiserver"))
        .put("firstTimestamp", time)
        .put("lastTimestamp", time)
        .put("count", 1)
        .put("type", warning ? "Warning" : "Normal")
        .build();
  }

  private static String digest(String text) {
    try {
      var hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
