package dev.muster.fleet.storageversions;

import dev.muster.model.GroupVersionResource;
import dev.muster.model.json.JsonObject;
import dev.muster.model.storageversion.StorageVersionStatus;
import dev.muster.server.start.RegistryObjects;
import java.time.InstantSource;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Maintains this server's entries in StorageVersion objects. Each write applies to the version that
 * was read, so that no entry of another server is lost. Thread-safe. Blocks the calling thread.
 */
final class StorageVersionObjects {
  static final GroupVersionResource RESOURCE =
      new GroupVersionResource("internal.apiserver.k8s.io", "v1alpha1", "storageversions");

  /** Their prefix in the store. */
  static final String STORAGE = "/storageversions";

  private final RegistryObjects objects;
  private final InstantSource clock;

  StorageVersionObjects(RegistryObjects objects, InstantSource clock) {
    this.objects = objects;
    this.clock = clock;
  }

  /** Whether the object contains that entry already. */
  static boolean says(@Nullable JsonObject object, JsonObject entry) {
    return object != null && StorageVersionStatus.entries(object).contains(entry);
  }

  static boolean mentions(JsonObject object, String server) {
    return StorageVersionStatus.entries(object).stream()
        .anyMatch(entry -> StorageVersionStatus.server(entry).equals(server));
  }

  /** Writes an entry, unless it exists already. */
  void put(String name, JsonObject entry) {
    if (says(objects.read(RESOURCE, "", name), entry)) {
      return;
    }
    objects.change(RESOURCE, "", name, live -> live == null ? empty(name) : null);
    objects.changeStatus(
        RESOURCE, "", name, live -> live == null || says(live, entry) ? null : with(live, entry));
  }

  private JsonObject with(JsonObject object, JsonObject entry) {
    var entries = new ArrayList<JsonObject>();
    boolean found = false;
    for (var one : StorageVersionStatus.entries(object)) {
      boolean own = StorageVersionStatus.server(one).equals(StorageVersionStatus.server(entry));
      entries.add(own ? entry : one);
      found |= own;
    }
    if (!found) {
      entries.add(entry);
    }
    return StorageVersionStatus.with(object, entries, clock.instant());
  }

  /** Removes the server's entry. The collector deletes an object without entries. */
  void remove(String name, String server) {
    objects.changeStatus(
        RESOURCE,
        "",
        name,
        live ->
            live == null || !mentions(live, server)
                ? null
                : StorageVersionStatus.with(
                    live,
                    StorageVersionStatus.entries(live).stream()
                        .filter(entry -> !StorageVersionStatus.server(entry).equals(server))
                        .toList(),
                    clock.instant()));
  }

  private static JsonObject empty(String name) {
    return JsonObject.of(
        "apiVersion",
        "internal.apiserver.k8s.io/v1alpha1",
        "kind",
        "StorageVersion",
        "metadata",
        JsonObject.of("name", name),
        "spec",
        JsonObject.EMPTY);
  }
}
