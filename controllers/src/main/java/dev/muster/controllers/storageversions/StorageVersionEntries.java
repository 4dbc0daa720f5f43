package dev.muster.controllers.storageversions;

import dev.muster.controllers.StatusConditions;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** What API servers say in a StorageVersion: each has one entry. */
final class StorageVersionEntries {
  private StorageVersionEntries() {}

  static List<JsonObject> of(JsonObject storageVersion) {
    return storageVersion.object("status").array("storageVersions").objects();
  }

  static String server(JsonObject entry) {
    return entry.string("apiServerID");
  }

  /** Who stores what, when not all store the same; nobody says anything about many resources. */
  static Optional<String> disagreement(JsonObject storageVersion) {
    var entries = of(storageVersion);
    if (entries.isEmpty()
        || storageVersion.object("status").get("commonEncodingVersion") != null) {
      return Optional.empty();
    }
    var each = entries.stream().map(entry -> server(entry) + "=" + entry.string("encodingVersion"));
    return Optional.of("API servers store different versions: " + String.join(", ", each.toList()));
  }

  /** The object with the entries of those servers only, and what follows from them. */
  static JsonObject keep(JsonObject storageVersion, Predicate<String> servers, Instant now) {
    var kept = of(storageVersion).stream().filter(entry -> servers.test(server(entry))).toList();
    var versions = kept.stream().map(entry -> entry.string("encodingVersion")).distinct().toList();
    boolean equal = versions.size() == 1;
    var before = storageVersion.object("status");
    var condition =
        JsonObject.of(
            "type",
            "AllEncodingVersionsEqual",
            "status",
            equal ? "True" : "False",
            "reason",
            equal ? "CommonEncodingVersionSet" : "CommonEncodingVersionUnset",
            "message",
            equal ? "Common encoding version set" : "Common encoding version unset");
    var generation = storageVersion.object("metadata").integer("generation", 0);
    if (generation > 0) {
      condition = condition.with("observedGeneration", generation);
    }
    var status =
        before
            .with("storageVersions", JsonArray.of(List.<Json>copyOf(kept)))
            .with("conditions", StatusConditions.with(before.array("conditions"), condition, now));
    status =
        equal
            ? status.with("commonEncodingVersion", versions.getFirst())
            : status.without("commonEncodingVersion");
    return storageVersion.with("status", status);
  }
}
