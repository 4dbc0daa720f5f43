package dev.muster.model.storageversion;

import dev.muster.model.Timestamps;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads and writes the status of a StorageVersion: the encoding version of each API server, and the
 * common version that follows from them.
 */
public final class StorageVersionStatus {
  private static final String EQUAL = "AllEncodingVersionsEqual";

  private StorageVersionStatus() {}

  /** The entries of the API servers. */
  public static List<JsonObject> entries(JsonObject storageVersion) {
    return storageVersion.object("status").array("storageVersions").objects();
  }

  /** The server identity of the entry's API server. */
  public static String server(JsonObject entry) {
    return entry.string("apiServerID");
  }

  /** The version in which that API server stores objects. */
  public static String encoding(JsonObject entry) {
    return entry.string("encodingVersion");
  }

  /**
   * The object with those entries. It has a common version when all entries have the same one, and
   * records since when.
   */
  public static JsonObject with(JsonObject storageVersion, List<JsonObject> entries, Instant now) {
    var before = storageVersion.object("status");
    var versions = entries.stream().map(StorageVersionStatus::encoding).distinct().toList();
    boolean equal = versions.size() == 1;
    var status = before.with("storageVersions", JsonArray.of(List.<Json>copyOf(entries)));
    status =
        equal
            ? status.with("commonEncodingVersion", versions.getFirst())
            : status.without("commonEncodingVersion");
    var former = before.string("commonEncodingVersion");
    boolean another = equal && !former.isEmpty() && !former.equals(versions.getFirst());
    long generation = storageVersion.object("metadata").integer("generation", 0);
    var conditions = conditions(before.array("conditions"), equal, another, generation, now);
    return storageVersion.with("status", status.with("conditions", conditions));
  }

  private static JsonArray conditions(
      JsonArray before, boolean equal, boolean another, long generation, Instant now) {
    var condition =
        JsonObject.of(
            "type",
            EQUAL,
            "status",
            equal ? "True" : "False",
            "lastTransitionTime",
            Timestamps.format(now),
            "reason",
            equal ? "CommonEncodingVersionSet" : "CommonEncodingVersionUnset",
            "message",
            equal ? "Common encoding version set" : "Common encoding version unset");
    if (generation > 0) {
      condition = condition.with("observedGeneration", generation);
    }
    var all = new ArrayList<Json>();
    boolean found = false;
    for (var one : before.objects()) {
      if (!one.string("type").equals(EQUAL)) {
        all.add(one);
        continue;
      }
      found = true;
      boolean same = one.string("status").equals(condition.string("status")) && !another;
      all.add(
          same
              ? condition.with("lastTransitionTime", one.string("lastTransitionTime"))
              : condition);
    }
    if (!found) {
      all.add(condition);
    }
    return JsonArray.of(all);
  }
}
