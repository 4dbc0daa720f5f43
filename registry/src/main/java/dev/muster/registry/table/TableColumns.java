package dev.muster.registry.table;

import dev.muster.model.GroupResource;
import dev.muster.model.Json;
import dev.muster.model.JsonObject;
import dev.muster.model.JsonString;
import dev.muster.schema.ResourceType;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Finds the table of a resource; one without columns of its own shows name and time of creation.
 */
public final class TableColumns {
  private static final Map<GroupResource, TableSpec> KNOWN = known();

  private static final TableSpec PLAIN =
      TableSpec.of(
          Cells.name(),
          new Column(
              "Created At", "date", "", 0, "When the object was made.", TableColumns::created));

  private static final Set<GroupResource> WITHOUT_STATUS =
      Set.of(
          new GroupResource("resource.k8s.io", "resourceclaims"),
          new GroupResource("apiextensions.k8s.io", "customresourcedefinitions"),
          new GroupResource("apiregistration.k8s.io", "apiservices"));

  private TableColumns() {}

  private static Map<GroupResource, TableSpec> known() {
    var all = new HashMap<GroupResource, TableSpec>();
    all.putAll(CoreTables.all());
    all.putAll(WorkloadTables.all());
    all.putAll(StorageTables.all());
    all.putAll(NetworkTables.all());
    all.putAll(GroupTables.all());
    all.putAll(FleetTables.all());
    return Map.copyOf(all);
  }

  private static Json created(JsonObject object, Instant now) {
    return object.at("metadata", "creationTimestamp") instanceof JsonString time
        ? time
        : Json.of("0001-01-01T00:00:00Z");
  }

  /** The table of a resource in any of its versions; rows are made of objects as stored. */
  public static TableSpec of(ResourceType type) {
    return of(type.groupResource());
  }

  public static TableSpec of(GroupResource resource) {
    return KNOWN.getOrDefault(resource, PLAIN);
  }

  /**
   * Whether something of a resource can be had as a table: not what is answered and not stored, not
   * the narrow doors to an object, and not the status of the resources that are named here.
   */
  public static boolean isOffered(ResourceType type, String subresource) {
    return switch (subresource) {
      case "" -> type.isStored() || KNOWN.containsKey(type.groupResource());
      case "status" -> !WITHOUT_STATUS.contains(type.groupResource());
      case "scale" -> true;
      default -> false;
    };
  }

  /** Whether it is the table of a resource without columns of its own. */
  static boolean isPlain(TableSpec spec) {
    return spec == PLAIN;
  }
}
