package dev.muster.fleet.discovery;

import dev.muster.model.GroupVersionResource;
import dev.muster.model.Timestamps;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The object with the discovery hashes of all servers, one row each. */
public final class HashRows {
  static final GroupVersionResource RESOURCE =
      new GroupVersionResource("apiservercoordination.k8s.io", "v1alpha1", "discoverydochashes");

  /** The name of the only object. */
  static final String NAME = "builtin";

  /** Its prefix in the store. */
  static final String STORAGE = "/discoverydochashes";

  /** The largest number of rows. */
  static final int MOST = 1000;

  private static final String PERIOD = "heartbeatPeriodSeconds";

  /**
   * The row of one server.
   *
   * @param heartbeat as it is written
   * @param period how often it is renewed
   */
  record Row(String server, String hash, String heartbeat, Duration period) {
    static Row read(JsonObject row) {
      return new Row(
          row.string("apiServerID"),
          row.string("builtInAPIHash"),
          row.string("lastHeartbeatTime"),
          DiscoveryHashOptions.plausible(row.integer(PERIOD, 0)));
    }

    /** The time without a heartbeat after which it expires. */
    Duration patience() {
      return period.multipliedBy(DiscoveryHashOptions.MISSED_HEARTBEATS);
    }

    /**
     * The same for a row whose server has no Lease: a period longer than the default does not
     * count.
     */
    Duration patienceWithStranger() {
      var usual = DiscoveryHashOptions.USUAL.multipliedBy(DiscoveryHashOptions.MISSED_HEARTBEATS);
      return patience().compareTo(usual) < 0 ? patience() : usual;
    }
  }

  private HashRows() {}

  static List<Row> read(@Nullable JsonObject object) {
    return object == null
        ? List.of()
        : object.array("hashes").objects().stream().map(Row::read).toList();
  }

  /**
   * The object with that server's row renewed.
   *
   * @param object null when it does not exist yet
   * @param period how often the row will be renewed
   * @param gone rows to remove, as they were at the decision; a row that has changed since stays
   * @param spare servers without an identity Lease, whose rows are removed when the object is full;
   *     the first ones go first
   */
  static JsonObject with(
      @Nullable JsonObject object,
      String server,
      String hash,
      Instant now,
      Duration period,
      Set<Row> gone,
      List<String> spare) {
    var rows = new ArrayList<JsonObject>();
    var own =
        JsonObject.of(
            "apiServerID",
            server,
            "builtInAPIHash",
            hash,
            "lastHeartbeatTime",
            Timestamps.format(now),
            PERIOD,
            period.plusNanos(999_999_999).toSeconds());
    boolean found = false;
    var base = object == null ? empty() : object;
    for (var row : base.array("hashes").objects()) {
      if (row.string("apiServerID").equals(server)) {
        rows.add(own);
        found = true;
      } else if (!gone.contains(Row.read(row))) {
        rows.add(bounded(row));
      }
    }
    if (!found) {
      makeRoom(rows, spare);
      rows.add(own);
    }
    return base.with("hashes", JsonArray.of(rows));
  }

  /** Limits the period of a stored row, which would otherwise make every write invalid. */
  private static JsonObject bounded(JsonObject row) {
    long longest = DiscoveryHashOptions.LONGEST.toSeconds();
    return row.integer(PERIOD, 0) > longest ? row.with(PERIOD, longest) : row;
  }

  private static void makeRoom(List<JsonObject> rows, List<String> spare) {
    int surplus = rows.size() + 1 - MOST;
    if (surplus > 0) {
      var going = new HashSet<>(spare.subList(0, Math.min(surplus, spare.size())));
      rows.removeIf(row -> going.contains(row.string("apiServerID")));
    }
  }

  /** The object without that server's row; null when it has none. */
  static @Nullable JsonObject without(@Nullable JsonObject object, String server) {
    if (object == null) {
      return null;
    }
    var rows =
        object.array("hashes").objects().stream()
            .filter(row -> !row.string("apiServerID").equals(server))
            .toList();
    return rows.size() == object.array("hashes").size()
        ? null
        : object.with("hashes", JsonArray.of(rows));
  }

  private static JsonObject empty() {
    return JsonObject.of(
        "apiVersion",
        "apiservercoordination.k8s.io/v1alpha1",
        "kind",
        "DiscoveryDocHashes",
        "metadata",
        JsonObject.of("name", NAME));
  }
}
