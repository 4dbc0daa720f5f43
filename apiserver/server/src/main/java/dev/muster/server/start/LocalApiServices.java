package dev.muster.server.start;

import dev.muster.authorization.bootstrap.BootstrapObject;
import dev.muster.model.GroupVersion;
import dev.muster.model.GroupVersionResource;
import dev.muster.model.json.JsonObject;
import dev.muster.types.ApiPriority;
import dev.muster.types.Types;
import java.util.List;

/** Creates the APIService objects of the groups and versions that this server itself serves. */
public final class LocalApiServices {
  public static final GroupVersionResource RESOURCE =
      new GroupVersionResource("apiregistration.k8s.io", "v1", "apiservices");
  private static final JsonObject LABELS =
      JsonObject.of("kube-aggregator.kubernetes.io/automanaged", "onstart");

  private LocalApiServices() {}

  /** One object for each served version that has a priority. */
  public static List<BootstrapObject> of(Types types) {
    return types.versions().stream()
        .filter(served -> served.priority().version() > 0)
        .map(served -> service(served.groupVersion(), served.priority()))
        .toList();
  }

  private static BootstrapObject service(GroupVersion version, ApiPriority priority) {
    var spec = JsonObject.builder();
    spec.putIf("group", version.group());
    spec.put("version", version.version())
        .put("groupPriorityMinimum", priority.group())
        .put("versionPriority", priority.version());
    return new BootstrapObject(
        RESOURCE,
        JsonObject.of(
            "kind",
            "APIService",
            "apiVersion",
            "apiregistration.k8s.io/v1",
            "metadata",
            JsonObject.of("name", version.version() + "." + version.group(), "labels", LABELS),
            "spec",
            spec.build()));
  }
}
