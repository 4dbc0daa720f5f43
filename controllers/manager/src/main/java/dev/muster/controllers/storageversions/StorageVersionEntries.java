package dev.muster.controllers.storageversions;

import dev.muster.model.json.JsonObject;
import dev.muster.model.storageversion.StorageVersionStatus;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;

/** Reads and filters the per-server entries of a StorageVersion. */
final class StorageVersionEntries {
  private StorageVersionEntries() {}

  static boolean isEmpty(JsonObject storageVersion) {
    return StorageVersionStatus.entries(storageVersion).isEmpty();
  }

  static boolean mentions(JsonObject storageVersion, Predicate<String> servers) {
    return StorageVersionStatus.entries(storageVersion).stream()
        .anyMatch(entry -> servers.test(StorageVersionStatus.server(entry)));
  }

  /** Which servers store which version, when they differ; many resources have no entries. */
  static Optional<String> disagreement(JsonObject storageVersion) {
    var common = storageVersion.object("status").string("commonEncodingVersion");
    if (isEmpty(storageVersion) || !common.isEmpty()) {
      return Optional.empty();
    }
    var each =
        StorageVersionStatus.entries(storageVersion).stream()
            .map(
                entry ->
                    StorageVersionStatus.server(entry) + "=" + StorageVersionStatus.encoding(entry))
            .toList();
    return Optional.of("API servers store different versions: " + String.join(", ", each));
  }

  /** The object with the entries of the accepted servers only. */
  static JsonObject keep(JsonObject storageVersion, Predicate<String> servers, Instant now) {
    var kept =
        StorageVersionStatus.entries(storageVersion).stream()
            .filter(entry -> servers.test(StorageVersionStatus.server(entry)))
            .toList();
    return StorageVersionStatus.with(storageVersion, kept, now);
  }
}
