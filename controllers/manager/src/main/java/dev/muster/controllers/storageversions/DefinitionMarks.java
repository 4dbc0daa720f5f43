package dev.muster.controllers.storageversions;

import dev.muster.controllers.StatusConditions;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.time.Instant;
import java.util.List;

/**
 * Records a migration in the status of the CustomResourceDefinition: which generation is migrated,
 * and at the end which stored versions remain.
 */
final class DefinitionMarks {
  private static final String MIGRATING = "StorageMigrating";

  private DefinitionMarks() {}

  static long generation(JsonObject definition) {
    return definition.object("metadata").integer("generation", 0);
  }

  /** Whether the status says that this generation is being migrated. */
  static boolean isMarked(JsonObject definition) {
    var mark = find(definition);
    return mark.string("status").equals("True")
        && mark.integer("observedGeneration", 0) == generation(definition);
  }

  static boolean isMigrating(JsonObject definition) {
    return find(definition).string("status").equals("True");
  }

  private static JsonObject find(JsonObject definition) {
    return StatusConditions.find(definition.object("status").array("conditions"), MIGRATING);
  }

  static JsonObject begun(JsonObject definition, String migration, Instant now) {
    return status(
        definition, "True", "MigrationRunning", "Migration " + migration + " is running", now);
  }

  static JsonObject failed(JsonObject definition, Instant now) {
    return status(definition, "False", "MigrationFailed", "The migration has failed", now);
  }

  /** The definition with the storage version as its only stored version. */
  static JsonObject succeeded(JsonObject definition, Instant now) {
    return status(
            definition,
            "False",
            "MigrationSucceeded",
            "The migration has succeeded and the stored versions have been updated",
            now)
        .with("storedVersions", JsonArray.ofStrings(List.of(storageVersion(definition))));
  }

  private static String storageVersion(JsonObject definition) {
    return definition.object("spec").array("versions").objects().stream()
        .filter(version -> version.isTrue("storage"))
        .map(version -> version.string("name"))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("a definition without a storage version"));
  }

  private static JsonObject status(
      JsonObject definition, String status, String reason, String message, Instant now) {
    var condition =
        JsonObject.of(
            "type",
            MIGRATING,
            "status",
            status,
            "reason",
            reason,
            "message",
            message,
            "observedGeneration",
            generation(definition));
    var conditions = definition.object("status").array("conditions");
    return JsonObject.of("conditions", StatusConditions.with(conditions, condition, now));
  }
}
