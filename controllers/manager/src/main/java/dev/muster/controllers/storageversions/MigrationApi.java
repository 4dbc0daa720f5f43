package dev.muster.controllers.storageversions;

import dev.muster.model.json.JsonObject;
import java.util.List;
import java.util.Optional;

/**
 * The requests of storage migrations to API servers. Any method may throw when no server answers;
 * the outcome of a write is then unknown.
 */
interface MigrationApi {
  /** The current StorageVersionMigrations. */
  List<JsonObject> migrations();

  Optional<JsonObject> migration(String name);

  /** Replaces the status, with the given version as precondition. */
  JsonObject updateStatus(JsonObject migration);

  /** Sets an annotation, with the given version as precondition; an empty text removes it. */
  JsonObject annotate(JsonObject migration, String annotation, String text);

  /** The resource in discovery, if any server serves it. */
  Optional<MigratedResource> find(String group, String plural);

  /**
   * Why the resource must not be migrated now; empty when all servers agree on its storage version.
   */
  Optional<String> disagreement(MigratedResource resource);

  /** The CustomResourceDefinition of the resource, unless it is built-in. */
  Optional<JsonObject> definition(MigratedResource resource);

  /** Merges into the status, with the given version as precondition. */
  JsonObject changeDefinition(JsonObject definition, JsonObject status);

  /**
   * The metadata of some objects of the resource.
   *
   * @param version of the collection at which the page was read
   * @param next the token of the next page; empty at the end
   */
  record Page(List<JsonObject> items, String version, String next) {}

  /**
   * The page at the token. If the token has expired, the page contains the following objects in
   * their current state.
   *
   * @param token where to continue; empty for the first page
   */
  Page page(MigratedResource resource, String token);

  /** The result of rewriting an object. */
  sealed interface Rewrite {
    /** The stored form differed, and the object has a new resourceVersion. */
    record Stored() implements Rewrite {}

    /** The stored form was already current. */
    record Unchanged() implements Rewrite {}

    /** The object was deleted or written by another client meanwhile. */
    record Overtaken() implements Rewrite {}

    /** The server refuses the object, and a retry would not help. */
    record Refused(String why) implements Rewrite {}
  }

  /** Rewrites that version of the object unchanged. */
  Rewrite rewrite(MigratedResource resource, JsonObject metadata);

  /** Writes an Event about the migration. */
  void report(JsonObject migration, boolean warning, String reason, String message);
}
