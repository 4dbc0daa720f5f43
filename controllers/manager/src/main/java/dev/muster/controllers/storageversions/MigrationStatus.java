package dev.muster.controllers.storageversions;

import dev.muster.controllers.StatusConditions;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.time.Instant;

/** Computes the status of a StorageVersionMigration, with upstream's conditions and reasons. */
final class MigrationStatus {
  static final String RUNNING = "Running";
  static final String SUCCEEDED = "Succeeded";
  static final String FAILED = "Failed";

  private static final String REASON = "StorageVersionMigration";

  private MigrationStatus() {}

  static boolean is(JsonObject migration, String type) {
    return StatusConditions.isTrue(conditions(migration), type);
  }

  static boolean isOver(JsonObject migration) {
    return is(migration, SUCCEEDED) || is(migration, FAILED);
  }

  private static JsonArray conditions(JsonObject migration) {
    return migration.object("status").array("conditions");
  }

  static JsonObject running(
      JsonObject migration, boolean running, String reason, String message, Instant now) {
    return with(migration, RUNNING, running ? "True" : "False", reason, message, now);
  }

  static JsonObject succeeded(JsonObject migration, String message, Instant now) {
    return with(ended(migration, now), SUCCEEDED, "True", REASON + "Succeeded", message, now);
  }

  static JsonObject failed(JsonObject migration, String message, Instant now) {
    return with(ended(migration, now), FAILED, "True", REASON + "Failed", message, now);
  }

  /** A migration that never began gets no Running condition. */
  static JsonObject ended(JsonObject migration, Instant now) {
    return StatusConditions.find(conditions(migration), RUNNING).isEmpty()
        ? migration
        : running(migration, false, "MigrationCompleted", "Migration completed", now);
  }

  private static JsonObject with(
      JsonObject migration,
      String type,
      String status,
      String reason,
      String message,
      Instant now) {
    var condition =
        JsonObject.of("type", type, "status", status, "reason", reason, "message", message);
    return migration.withAt(
        StatusConditions.with(conditions(migration), condition, now), "status", "conditions");
  }
}
