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
 * Maintains an APIService for each group version of CustomResourceDefinitions, because some clients
 * find served versions there. One thread uses it. It leaves other APIServices alone, and restores
 * its own if a client has pointed them to a Service.
 */
final class DefinedApiServices {
  static final String STORAGE = "/apiregistration.k8s.io/apiservices";
  private static final GroupVersionResource RESOURCE =
      new GroupVersionResource("apiregistration.k8s.io", "v1", "apiservices");
  private static final String MANAGED = "kube-aggregator.kubernetes.io/automanaged";

  /** Results that mean that another server was faster. */
  private static final Set<Reason> DONE =
      Set.of(Reason.ALREADY_EXISTS, Reason.NOT_FOUND, Reason.CONFLICT);

  private final DefinitionWrites writes;

  /** The wanted versions and the last change of APIServices when everything was up to date. */
  private Set<GroupVersion> settled = Set.of();

  private long settledAt = -1;

  DefinedApiServices(DefinitionWrites writes) {
    this.writes = writes;
  }

  /** Creates APIServices that the snapshot lacks, and deletes those without a definition. */
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

  /** Searches the JSON instead of parsing it: every change of an APIService checks all of them. */
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
