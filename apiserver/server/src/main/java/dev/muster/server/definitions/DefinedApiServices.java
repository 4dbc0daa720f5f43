package dev.muster.server.definitions;

import dev.muster.model.GroupVersion;
import dev.muster.model.GroupVersionResource;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.types.Types;
import java.util.Set;
import java.util.TreeMap;

/**
 * Used by one thread. Keeps an APIService for each version of a group that definitions make: some
 * clients look there for what is served. Those of others are left alone; those of its own that
 * somebody has sent elsewhere are made again.
 */
final class DefinedApiServices {
  static final String STORAGE = "/apiregistration.k8s.io/apiservices";
  private static final GroupVersionResource RESOURCE =
      new GroupVersionResource("apiregistration.k8s.io", "v1", "apiservices");
  private static final String MANAGED = "kube-aggregator.kubernetes.io/automanaged";

  /** Somebody else was faster. */
  private static final Set<Reason> DONE =
      Set.of(Reason.ALREADY_EXISTS, Reason.NOT_FOUND, Reason.CONFLICT);

  private final DefinitionWrites writes;

  /** What was wanted, and when APIServices had changed last, when all was as it should be. */
  private Set<GroupVersion> settled = Set.of();

  private long settledAt = -1;

  DefinedApiServices(DefinitionWrites writes) {
    this.writes = writes;
  }

  /** Makes those that are missing in that snapshot, and deletes those that nothing is behind. */
  void keep(Snapshot snapshot) {
    var wanted = Types.in(snapshot).definedVersions();
    var services = snapshot.collection(STORAGE);
    if (services.changed() == settledAt && wanted.equals(settled)) {
      return;
    }
    settledAt = -1;
    var missing = new TreeMap<String, GroupVersion>();
    wanted.forEach(version -> missing.put(version.version() + "." + version.group(), version));
    for (var stored : services.all()) {
      boolean isWanted = missing.remove(stored.name().name()) != null;
      if ("true".equals(stored.label(MANAGED)) && !(isWanted && isLocal(stored))) {
        attempt(() -> writes.delete(RESOURCE, stored.tree()));
      }
    }
    missing.forEach((name, version) -> attempt(() -> writes.create(RESOURCE, of(name, version))));
    settled = wanted;
    settledAt = services.changed();
  }

  /** Looked for in the text: this is asked of all of them whenever one of them changes. */
  private static boolean isLocal(StoredObject service) {
    return !service.has("spec", "service");
  }

  private static JsonObject of(String name, GroupVersion version) {
    return JsonObject.of(
        "kind",
        "APIService",
        "apiVersion",
        "apiregistration.k8s.io/v1",
        "metadata",
        JsonObject.of("name", name, "labels", JsonObject.of(MANAGED, "true")),
        "spec",
        JsonObject.builder()
            .put("group", version.group())
            .put("version", version.version())
            .put("groupPriorityMinimum", 1000)
            .put("versionPriority", 100)
            .build());
  }

  private static void attempt(Runnable write) {
    try {
      write.run();
    } catch (ApiException e) {
      if (!DONE.contains(e.reason())) {
        throw e;
      }
    }
  }
}
