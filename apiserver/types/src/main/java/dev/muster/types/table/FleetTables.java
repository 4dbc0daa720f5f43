package dev.muster.types.table;

import dev.muster.model.Timestamps;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The table of DiscoveryDocHashes, which shows what each server serves and which servers are
 * behind.
 */
public final class FleetTables {
  private static final int SHORT_HASH = 12;

  private FleetTables() {}

  public static TableSpec discoveryHashes() {
    return TableSpec.of(
        Cells.name(),
        Cells.count(
            "Servers",
            "How many API servers have a row.",
            object -> (long) object.array("hashes").size()),
        Cells.text(
            "Equal",
            "Whether all rows have the same hash.",
            object -> byHash(object).size() <= 1 ? "True" : "False"),
        Cells.timed(
            "Oldest Heartbeat",
            "How long ago the row was renewed that waits longest for it.",
            FleetTables::oldest),
        Cells.age(),
        Cells.text(
                "Hashes",
                "The hashes, shortened, each with the servers that report it.",
                FleetTables::hashes)
            .wide());
  }

  private static Map<String, List<String>> byHash(JsonObject object) {
    var servers = new TreeMap<String, List<String>>();
    for (var row : object.array("hashes").objects()) {
      servers
          .computeIfAbsent(row.string("builtInAPIHash"), hash -> new ArrayList<>())
          .add(row.string("apiServerID"));
    }
    return servers;
  }

  private static String hashes(JsonObject object) {
    var texts = new ArrayList<String>();
    byHash(object)
        .forEach(
            (hash, servers) ->
                texts.add(
                    hash.substring(0, Math.min(SHORT_HASH, hash.length()))
                        + "="
                        + String.join(",", servers)));
    return texts.isEmpty() ? Cells.NONE : String.join(" ", texts);
  }

  private static Json oldest(JsonObject object, Instant now) {
    Json oldest = null;
    Instant when = null;
    for (var row : object.array("hashes").objects()) {
      var time = Timestamps.read(row.get("lastHeartbeatTime"));
      if (time != null && (when == null || time.isBefore(when))) {
        when = time;
        oldest = row.get("lastHeartbeatTime");
      }
    }
    return Json.of(oldest == null ? Cells.NONE : Cells.since(oldest, now));
  }
}
