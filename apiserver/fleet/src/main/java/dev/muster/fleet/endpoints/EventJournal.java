package dev.muster.fleet.endpoints;

import dev.muster.fleet.endpoints.form.DesiredEndpoints;
import dev.muster.fleet.endpoints.form.PlannedWrite;
import dev.muster.fleet.endpoints.form.PublishedServers;
import dev.muster.model.GroupVersionResource;
import dev.muster.model.Timestamps;
import dev.muster.model.json.JsonObject;
import dev.muster.server.start.RegistryObjects;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the reconciler's decisions as log lines, metrics and Events of the {@code kubernetes}
 * Service. Only the reconciler's thread uses it. It repeats the same remark only after a while.
 */
final class EventJournal implements Journal {
  private static final Logger LOG = LoggerFactory.getLogger(EventJournal.class);
  private static final GroupVersionResource EVENTS = new GroupVersionResource("", "v1", "events");
  private static final Duration SILENCE = Duration.ofMinutes(5);
  private static final int MOST_REMEMBERED = 100;

  private final RegistryObjects objects;
  private final EndpointMetrics metrics;
  private final Clock clock;
  private final String server;
  private final Runnable renewed;
  private final Map<String, Instant> said =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Instant> eldest) {
          return size() > MOST_REMEMBERED;
        }
      };
  private long count;

  EventJournal(
      RegistryObjects objects,
      EndpointMetrics metrics,
      Clock clock,
      String server,
      Runnable renewed) {
    this.objects = objects;
    this.metrics = metrics;
    this.clock = clock;
    this.server = server;
    this.renewed = renewed;
  }

  @Override
  public void wrote(PlannedWrite write) {
    metrics.wrote(write);
    LOG.info("{}: {}", write.reason(), write.sentence());
    event(write.reason(), write.sentence(), false);
  }

  @Override
  public void failed(PlannedWrite write, RuntimeException problem) {
    metrics.refused(write);
    remark(
        write.reason() + "Failed", write.sentence() + ": not done: " + problem.getMessage(), true);
  }

  @Override
  public void remark(String reason, String message, boolean warning) {
    var now = clock.instant();
    var last = said.get(reason + message);
    if (last != null && now.isBefore(last.plus(SILENCE)) && !now.isBefore(last)) {
      return;
    }
    said.put(reason + message, now);
    if (warning) {
      LOG.warn("{}: {}", reason, message);
    } else {
      LOG.info("{}: {}", reason, message);
    }
    event(reason, message, warning);
  }

  @Override
  public void renewed() {
    metrics.renewed();
    renewed.run();
  }

  @Override
  public void published(PublishedServers published, Membership membership) {
    metrics.published(published, membership);
  }

  private void event(String reason, String message, boolean warning) {
    var now = clock.instant();
    count++;
    var name =
        DesiredEndpoints.NAME
            + "."
            + Long.toHexString(now.toEpochMilli() * 1000 + count % 1000)
            + Integer.toHexString(server.hashCode());
    var time = Timestamps.format(now);
    try {
      objects.create(
          EVENTS,
          JsonObject.of(
              "kind",
              "Event",
              "apiVersion",
              "v1",
              "metadata",
              JsonObject.of("name", name, "namespace", DesiredEndpoints.NAMESPACE),
              "involvedObject",
              JsonObject.of(
                  "kind",
                  "Service",
                  "apiVersion",
                  "v1",
                  "namespace",
                  DesiredEndpoints.NAMESPACE,
                  "name",
                  DesiredEndpoints.NAME),
              "reason",
              reason,
              "message",
              message.length() > 1000 ? message.substring(0, 1000) : message,
              "type",
              warning ? "Warning" : "Normal",
              "count",
              1,
              "firstTimestamp",
              time,
              "lastTimestamp",
              time,
              "source",
              JsonObject.of("component", "endpoint-reconciler", "host", server)));
    } catch (RuntimeException | Error e) {
      LOG.debug("no event for {}: {}", reason, e.toString());
    }
  }
}
