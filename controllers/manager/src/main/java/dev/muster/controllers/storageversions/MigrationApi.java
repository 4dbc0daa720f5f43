package dev.muster.controllers.storageversions;

import dev.muster.model.json.JsonObject;
import java.util.List;
import java.util.Optional;

/**
 * What a migration asks of API servers. Every method may throw when no server answers; whoever
 * writes may then have written or not.
 */
interface MigrationApi {
  /** All StorageVersionMigrations, as they are now. */
  List<JsonObject> migrations();

  Optional<JsonObject> migration(String name);

  /** Replaces the status of the version that the given one was made from. */
  JsonObject updateStatus(JsonObject migration);

  /** Sets an annotation on the version that is given; an empty text takes it away. */
  JsonObject annotate(JsonObject migration, String annotation, String text);

  /** The resource as discovery shows it, if any server serves it. */
  Optional<MigratedResource> find(String group, String plural);

  /** Why the resource must not be migrated now; nothing when all servers agree about it. */
  Optional<String> disagreement(MigratedResource resource);

  /** What defines the resource, unless it is a built-in one. */
  Optional<JsonObject> definition(MigratedResource resource);

  /** Merges into the status of the version that is given. */
  JsonObject changeDefinition(JsonObject definition, JsonObject status);

  /**
   * The metadata of some objects of the resource.
   *
   * @param version of the collection as a whole, at which the page was read
   * @param next where the following page begins; empty at the end
   */
  record Page(List<JsonObject> items, String version, String next) {}

  /**
   * The page at that place, or the objects after it as they are now when the place is too old.
   *
   * @param token where to go on; empty for the first page
   */
  Page page(MigratedResource resource, String token);

  /** What came of writing an object anew. */
  sealed interface Rewrite {
    /** It lay in another form, and has a new resource version. */
    record Stored() implements Rewrite {}

    /** It lies in the store as it would be written: nothing happened. */
    record Unchanged() implements Rewrite {}

    /** It was deleted, or somebody else has written it since. */
    record Overtaken() implements Rewrite {}

    /** The server will not have it as it is, however often it is tried. */
    record Refused(String why) implements Rewrite {}
  }

  /** Writes that version of the object as it is. */
  Rewrite rewrite(MigratedResource resource, JsonObject metadata);

  /** Tells people about the migration. */
  void report(JsonObject migration, boolean warning, String reason, String message);
}
