package dev.muster.types.table;

import dev.muster.model.json.JsonObject;
import java.util.List;
import java.util.Set;

/** The tables of StorageVersions and StorageVersionMigrations. */
public final class StorageVersionTables {
  private static final int SHOWN_SERVERS = 3;
  private static final Set<String> STATES = Set.of("Running", "Failed", "Succeeded");

  private StorageVersionTables() {}

  public static TableSpec storageVersion() {
    return TableSpec.of(
        Cells.name(),
        Cells.text(
            "CommonEncodingVersion",
            "The version in which all servers write; unset while they differ.",
            Cells.pathOr(Cells.UNSET, "status", "commonEncodingVersion")),
        Cells.text(
            "StorageVersions",
            "The version in which each server writes.",
            object -> Cells.some(servers(object), SHOWN_SERVERS, ",")),
        Cells.age());
  }

  private static List<String> servers(JsonObject object) {
    return object.object("status").array("storageVersions").objects().stream()
        .map(row -> row.string("apiServerID") + "=" + row.string("encodingVersion"))
        .toList();
  }

  public static TableSpec migration() {
    return TableSpec.of(
        Cells.text(
            "Name",
            "Name of the object, unique among those beside it.",
            object -> object.object("metadata").string("name")),
        Cells.text("Resource", "What is migrated.", StorageVersionTables::resource),
        Cells.text("Status", "How far it is.", StorageVersionTables::state));
  }

  private static String resource(JsonObject object) {
    var resource = object.object("spec").object("resource");
    var group = resource.string("group");
    return group.isEmpty()
        ? resource.string("resource")
        : resource.string("resource") + "." + group;
  }

  /** The type of the last condition that is true. */
  private static String state(JsonObject object) {
    var state = "Unknown";
    for (var condition : object.object("status").array("conditions").objects()) {
      if (condition.string("status").equals("True") && STATES.contains(condition.string("type"))) {
        state = condition.string("type");
      }
    }
    return state;
  }
}
