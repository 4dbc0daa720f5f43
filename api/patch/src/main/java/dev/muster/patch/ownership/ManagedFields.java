package dev.muster.patch.ownership;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.patch.ownership.fields.FieldSet;
import dev.muster.patch.ownership.fields.MalformedFieldsException;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The managedFields of one object during a request. Only one thread uses it. */
final class ManagedFields {
  private static final int MOST_UPDATERS = 10;
  private static final String OLD_UPDATES = "ancient-changes";

  private final Map<ManagerId, ManagedEntry> entries = new LinkedHashMap<>();
  private final @Nullable JsonArray source;
  private boolean changed;

  private ManagedFields(@Nullable JsonArray source) {
    this.source = source;
  }

  static ManagedFields none() {
    return new ManagedFields(null);
  }

  /** The managedFields of a stored object; empty when they are invalid. */
  static ManagedFields stored(@Nullable JsonObject object) {
    if (object == null
        || !(object.object("metadata").get("managedFields") instanceof JsonArray list)) {
      return none();
    }
    try {
      return decode(list, false);
    } catch (MalformedFieldsException unreadable) {
      return none();
    }
  }

  /**
   * Parses a list of entries.
   *
   * @param foreign whether a client sent it, so that field sets may be in any form
   * @throws MalformedFieldsException with upstream's message when it is invalid
   */
  static ManagedFields decode(JsonArray list, boolean foreign) {
    var managed = new ManagedFields(list);
    for (int i = 0; i < list.size(); i++) {
      var entry = entry(list.object(i), i, foreign);
      managed.changed |= managed.entries.put(entry.id(), entry) != null;
      managed.changed |= entry.source() == null;
    }
    return managed;
  }

  private static ManagedEntry entry(JsonObject json, int index, boolean foreign) {
    var operation = json.string("operation");
    if (!operation.equals(ManagerId.APPLY) && !operation.equals(ManagerId.UPDATE)) {
      throw new MalformedFieldsException("operation must be `Apply` or `Update`");
    }
    var apiVersion = json.string("apiVersion");
    if (apiVersion.isEmpty()) {
      throw new MalformedFieldsException("apiVersion must not be empty");
    }
    var type = json.string("fieldsType");
    if (!type.equals("FieldsV1")) {
      throw new MalformedFieldsException(
          type.isEmpty()
              ? "missing fieldsType in managed fields entry " + index
              : "invalid fieldsType " + GoText.quote(type) + " in managed fields entry " + index);
    }
    var id =
        new ManagerId(json.string("manager"), operation, apiVersion, json.string("subresource"));
    var fieldsV1 = json.get("fieldsV1");
    if (!foreign && fieldsV1 instanceof JsonObject trie) {
      return new ManagedEntry(id, apiVersion, json.string("time"), FieldSet.trusted(trie), json);
    }
    var fields = FieldSet.parse(fieldsV1 == null ? JsonNull.NULL : fieldsV1);
    return new ManagedEntry(id, apiVersion, time(json.string("time")), fields);
  }

  /** A client's timestamp in canonical form. */
  private static String time(String text) {
    if (text.isEmpty()) {
      return "";
    }
    try {
      return ManagedEntry.text(OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeException noTime) {
      throw new MalformedFieldsException("invalid time " + text);
    }
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }

  Collection<ManagedEntry> entries() {
    return List.copyOf(entries.values());
  }

  @Nullable ManagedEntry get(ManagerId id) {
    return entries.get(id);
  }

  /** Replaces the entry of the same manager; an entry without fields is dropped. */
  void put(ManagedEntry entry) {
    if (entry.fields().isEmpty()) {
      remove(entry.id());
    } else if (entries.put(entry.id(), entry) != entry) {
      changed = true;
    }
  }

  void remove(ManagerId id) {
    changed |= entries.remove(id) != null;
  }

  /** Drops entries without fields, which only clients send. */
  void dropEmpty() {
    changed |= entries.values().removeIf(entry -> entry.fields().isEmpty());
  }

  /** Removes fields from all managers but one. */
  void takeFromOthers(ManagerId self, FieldSet fields) {
    for (var entry : entries()) {
      if (!entry.id().equals(self)) {
        put(entry.withFields(entry.fields().minus(fields)));
      }
    }
  }

  /** The entries in the order of the object; null when there are none. */
  @Nullable Json encode() {
    if (!changed && source != null) {
      return source.isEmpty() ? null : source;
    }
    if (entries.isEmpty()) {
      return null;
    }
    var sorted = new ArrayList<>(entries.values());
    sorted.sort(ManagedEntry.ORDER);
    return JsonArray.of(sorted.stream().map(ManagedEntry::toJson).toList());
  }

  /**
   * Merges the oldest update entries of a version into one until the number of entries is within
   * the limit.
   */
  void capUpdaters() {
    var updaters = new ArrayList<ManagedEntry>();
    for (var entry : entries.values()) {
      if (!entry.applied()) {
        updaters.add(entry);
      }
    }
    int count = updaters.size();
    if (count <= MOST_UPDATERS) {
      return;
    }
    updaters.sort(Comparator.comparing(ManagedEntry::time).thenComparing(ManagedEntry::id));
    var firstOfVersion = new HashMap<String, ManagerId>();
    for (var updater : updaters) {
      if (count <= MOST_UPDATERS) {
        return;
      }
      var first = firstOfVersion.putIfAbsent(updater.apiVersion(), updater.id());
      if (first != null) {
        bury(first, updater.id(), updater.apiVersion());
        count--;
      }
    }
  }

  /** Merges an update entry into the merged entry of its version; the first one starts it. */
  private void bury(ManagerId first, ManagerId id, String apiVersion) {
    var bucketId = new ManagerId(OLD_UPDATES, ManagerId.UPDATE, apiVersion, "");
    var bucket = id.equals(bucketId) ? null : entries.get(bucketId);
    var old = bucket == null ? entries.get(first) : bucket;
    var entry = entries.get(id);
    if (old != null && entry != null) {
      remove(old.id());
      remove(id);
      put(new ManagedEntry(bucketId, apiVersion, entry.time(), entry.fields().plus(old.fields())));
    }
  }
}
