package dev.muster.patch.ownership;

import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.patch.ownership.fields.FieldFilter;
import dev.muster.patch.ownership.fields.FieldSet;
import dev.muster.patch.ownership.fields.MalformedFieldsException;
import dev.muster.patch.ownership.typed.TypedComparison;
import dev.muster.patch.ownership.typed.TypedFields;
import dev.muster.patch.ownership.typed.TypedMerge;
import dev.muster.schema.StructShape;
import dev.muster.schema.read.TypedReader;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tracks field ownership in metadata.managedFields for the objects of one endpoint: a kind in a
 * version, or one of its subresources. Objects are in the version of the endpoint, with all fields
 * present that are always written. Immutable.
 */
public final class FieldOwnership {
  private static final String BEFORE_FIRST_APPLY = "before-first-apply";

  /** Fields that no manager owns. */
  private static final FieldSet UNOWNED =
      FieldSet.of(
          "apiVersion",
          "kind",
          "metadata",
          "metadata.name",
          "metadata.namespace",
          "metadata.creationTimestamp",
          "metadata.selfLink",
          "metadata.uid",
          "metadata.clusterName",
          "metadata.generation",
          "metadata.managedFields",
          "metadata.resourceVersion");

  private final StructShape shape;
  private final GroupVersionKind kind;
  private final String apiVersion;
  private final String subresource;
  private final FieldFilter reset;
  private final Versions versions;

  /** A new object's fields before any write; its creator owns what differs from them. */
  private final JsonObject zero;

  /**
   * @param subresource the endpoint's subresource, or "" for the object itself
   * @param reset the fields that writes to this endpoint cannot set
   */
  public FieldOwnership(
      StructShape shape,
      GroupVersionKind kind,
      String subresource,
      FieldFilter reset,
      Versions versions) {
    this.shape = shape;
    this.kind = kind;
    this.apiVersion = kind.apiVersion();
    this.subresource = subresource;
    this.reset = reset;
    this.versions = versions;
    this.zero =
        TypedReader.normal(shape, JsonObject.EMPTY)
            .with("kind", kind.kind())
            .with("apiVersion", apiVersion);
  }

  /**
   * The object after a create, update or patch, with new managedFields: the manager becomes the
   * only owner of the fields that it changed. An update that changes nothing leaves managedFields
   * unchanged, including their times.
   *
   * <p>Valid managedFields from a client replace the stored ones. An empty list or an empty entry
   * removes them, and nothing is tracked until the next apply; so does an item of a keyed list that
   * lacks its key.
   *
   * @param live the stored object, or null for a create
   */
  public JsonObject afterWrite(
      @Nullable JsonObject live, JsonObject object, String manager, Instant now) {
    try {
      var managed = ownersBefore(live, object);
      if (managed.isEmpty() && live != null && !live.object("metadata").string("uid").isEmpty()) {
        return withManaged(object, ManagedFields.none());
      }
      var before = live == null ? zero : withoutManaged(live);
      update(managed, before, withoutManaged(object), id(manager, ManagerId.UPDATE), now);
      return withManaged(object, managed);
    } catch (MalformedFieldsException unreadable) {
      return withManaged(object, ManagedFields.none());
    }
  }

  private ManagedFields ownersBefore(@Nullable JsonObject live, JsonObject object) {
    var given = object.object("metadata").get("managedFields");
    if (!subresource.isEmpty() || !(given instanceof JsonArray list)) {
      return ManagedFields.stored(live);
    }
    if (list.isEmpty() || (list.size() == 1 && list.get(0).equals(JsonObject.EMPTY))) {
      return ManagedFields.none();
    }
    if (live != null && list.equals(live.object("metadata").array("managedFields"))) {
      return ManagedFields.stored(live);
    }
    try {
      return ManagedFields.decode(list, true);
    } catch (MalformedFieldsException unreadable) {
      return ManagedFields.stored(live);
    }
  }

  private void update(
      ManagedFields managed, JsonObject before, JsonObject after, ManagerId self, Instant now) {
    var comparison = TypedComparison.ofKeyed(shape, before, after).filtered(reset);
    if (!comparison.isSame() || hasOtherVersions(managed)) {
      takeFromOthers(managed, null, comparison, before, after);
    }
    managed.dropEmpty();
    var taken = comparison.changed().minus(UNOWNED);
    if (!taken.isEmpty()) {
      var previous = managed.get(self);
      var fields = previous == null ? taken : previous.fields().plus(taken);
      managed.put(new ManagedEntry(self, apiVersion, ManagedEntry.text(now), fields));
    }
    managed.capUpdaters();
  }

  /** Whether a manager owns fields in another version, which may no longer exist. */
  private boolean hasOtherVersions(ManagedFields managed) {
    return managed.entries().stream().anyMatch(entry -> !entry.apiVersion().equals(apiVersion));
  }

  /** Removes changed fields from all other managers, each in the version in which it owns them. */
  private void takeFromOthers(
      ManagedFields managed,
      @Nullable ManagerId self,
      TypedComparison comparison,
      JsonObject before,
      JsonObject after) {
    var comparisons = new HashMap<String, TypedComparison>();
    comparisons.put(apiVersion, comparison);
    for (var entry : managed.entries()) {
      if (entry.id().equals(self)) {
        continue;
      }
      var theirs = comparison(comparisons, entry.apiVersion(), before, after);
      if (theirs == null) {
        managed.remove(entry.id());
      } else if (!theirs.isSame()) {
        managed.put(
            entry.withFields(
                entry.fields().minusValues(theirs.changed()).minusValues(theirs.removed())));
      }
    }
  }

  /** The comparison in a version; null when the version does not exist. */
  private @Nullable TypedComparison comparison(
      Map<String, TypedComparison> known, String version, JsonObject before, JsonObject after) {
    var comparison = known.get(version);
    if (comparison == null) {
      if (version.indexOf('/') != version.lastIndexOf('/')) {
        throw new MalformedFieldsException("unexpected GroupVersion string: " + version);
      }
      var old = versions.convert(before, version);
      var now = versions.convert(after, version);
      if (old == null || now == null) {
        return null;
      }
      comparison = TypedComparison.of(now.shape(), old.object(), now.object()).filtered(reset);
      known.put(version, comparison);
    }
    return comparison;
  }

  /**
   * Applies a configuration to an object. The manager sets and owns all fields of the
   * configuration. Fields that it applied before but no longer applies are removed, unless another
   * manager owns them.
   *
   * @param live the stored object, or null when there is none
   * @throws ApiException Conflict when the configuration would change fields of other managers and
   *     force is not set; BadRequest when it has another kind or an invalid structure, or when the
   *     live object has lists whose items have no unique keys
   */
  public ApplyResult apply(
      @Nullable JsonObject live, JsonObject applied, String manager, boolean force, Instant now) {
    AppliedObject.check(kind, shape, applied);
    var before = live == null ? zero : withoutManaged(live);
    var managed = ManagedFields.stored(live);
    if (managed.isEmpty() && live != null) {
      ownedBefore(managed, before, now);
    }
    var self = id(manager, ManagerId.APPLY);
    var last = managed.get(self);
    var fields = reset.apply(TypedFields.of(shape, applied));
    var merged = TypedMerge.merge(shape, before, applied);
    var after =
        last == null
            ? merged
            : new AppliedPruning(shape, apiVersion, versions).prune(merged, last, fields, managed);
    var comparison = TypedComparison.of(shape, before, after).filtered(reset);
    if (!force) {
      refuseConflicts(managed, self, comparison, before, after);
    }
    takeFromOthers(managed, self, comparison, before, after);
    boolean changed = !after.equals(before);
    var time = changed ? ManagedEntry.text(now) : last == null ? "" : last.time();
    put(managed, new ManagedEntry(self, apiVersion, time, fields.minus(UNOWNED)));
    var object = changed ? (live == null ? applied : after) : before;
    if (manager.equals(LastApplied.MANAGER)) {
      object = LastApplied.refresh(object, applied);
    }
    var result = withManaged(object, managed);
    return new ApplyResult(result, live != null && result.equals(live));
  }

  /** Gives fields without an owner to a manager of that name. */
  private void ownedBefore(ManagedFields managed, JsonObject before, Instant now) {
    try {
      update(managed, zero, before, id(BEFORE_FIRST_APPLY, ManagerId.UPDATE), now);
    } catch (MalformedFieldsException unkeyed) {
      throw AppliedObject.unreadable(kind, shape, before);
    }
  }

  /** Keeps the existing entry when the new one is equal. */
  private static void put(ManagedFields managed, ManagedEntry entry) {
    var previous = managed.get(entry.id());
    if (previous == null
        || !previous.fields().equals(entry.fields())
        || !previous.apiVersion().equals(entry.apiVersion())
        || !previous.time().equals(entry.time())) {
      managed.put(entry);
    }
  }

  private void refuseConflicts(
      ManagedFields managed,
      ManagerId self,
      TypedComparison comparison,
      JsonObject before,
      JsonObject after) {
    var comparisons = new HashMap<String, TypedComparison>();
    comparisons.put(apiVersion, comparison);
    var conflicts = new LinkedHashMap<ManagerId, FieldSet>();
    for (var entry : managed.entries()) {
      var theirs =
          entry.id().equals(self)
              ? null
              : comparison(comparisons, entry.apiVersion(), before, after);
      var conflict = theirs == null ? FieldSet.EMPTY : entry.fields().andValues(theirs.changed());
      if (!conflict.isEmpty()) {
        conflicts.put(entry.id(), conflict);
      }
    }
    if (!conflicts.isEmpty() && self.manager().equals(LastApplied.MANAGER)) {
      var own = LastApplied.fields(shape, apiVersion, before);
      conflicts.replaceAll((id, conflict) -> conflict.minus(own));
      conflicts.values().removeIf(FieldSet::isEmpty);
    }
    if (!conflicts.isEmpty()) {
      throw Conflicts.exception(conflicts);
    }
  }

  private ManagerId id(String manager, String operation) {
    return new ManagerId(
        manager.isEmpty() ? "unknown" : manager, operation, apiVersion, subresource);
  }

  /**
   * The updated object, with the live object's managedFields times if nothing else differs, so that
   * a request without changes is not written. Must be the last step that can change the object.
   */
  public static JsonObject withoutIdleTimes(JsonObject live, JsonObject updated) {
    var old = live.object("metadata").array("managedFields");
    var now = updated.object("metadata").array("managedFields");
    if (old.size() != now.size() || now.isEmpty() || old.equals(now)) {
      return updated;
    }
    for (int i = 0; i < now.size(); i++) {
      if (!old.object(i).without("time").equals(now.object(i).without("time"))) {
        return updated;
      }
    }
    return bare(live).equals(bare(updated))
        ? updated.with("metadata", updated.object("metadata").with("managedFields", old))
        : updated;
  }

  private static JsonObject bare(JsonObject object) {
    return withoutManaged(object).withoutAt("metadata", "resourceVersion");
  }

  private static JsonObject withoutManaged(JsonObject object) {
    var metadata = object.object("metadata");
    return metadata.has("managedFields")
        ? object.with("metadata", metadata.without("managedFields"))
        : object;
  }

  private static JsonObject withManaged(JsonObject object, ManagedFields managed) {
    var metadata = object.object("metadata");
    var list = managed.encode();
    if (list == null) {
      return withoutManaged(object);
    }
    return metadata.get("managedFields") == list
        ? object
        : object.with("metadata", metadata.with("managedFields", list));
  }

  /** Why an object's managedFields are invalid, or "" when they are valid. */
  public static String problem(JsonObject object) {
    if (!(object.object("metadata").get("managedFields") instanceof JsonArray list)) {
      return "";
    }
    try {
      ManagedFields.decode(list, true);
      return "";
    } catch (MalformedFieldsException unreadable) {
      return String.valueOf(unreadable.getMessage());
    }
  }
}
