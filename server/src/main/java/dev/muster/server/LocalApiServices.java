package dev.muster.server;

import dev.muster.access.bootstrap.BootstrapObject;
import dev.muster.model.GroupVersion;
import dev.muster.model.GroupVersionResource;
import dev.muster.model.JsonObject;
import dev.muster.schema.ResourceCatalog;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The APIService objects that say which groups and versions this server answers for itself. */
final class LocalApiServices {
  private static final GroupVersionResource RESOURCE =
      new GroupVersionResource("apiregistration.k8s.io", "v1", "apiservices");
  private static final JsonObject LABELS =
      JsonObject.of("kube-aggregator.kubernetes.io/automanaged", "onstart");

  /** A line is a group's priority, its name and its versions with their priorities. */
  private static final String PRIORITIES =
      """
      17800 apps v1=15
      17750 events.k8s.io v1=15 v1beta1=5
      17700 authentication.k8s.io v1=15 v1beta1=9 v1alpha1=1
      17600 authorization.k8s.io v1=15
      17500 autoscaling v2=30 v1=15
      17400 batch v1=15 v1beta1=9
      17300 certificates.k8s.io v1=15 v1beta1=9 v1alpha1=1
      17200 networking.k8s.io v1=15 v1beta1=9
      17100 policy v1=15 v1beta1=9
      17000 rbac.authorization.k8s.io v1=15
      16800 storage.k8s.io v1=15 v1beta1=9 v1alpha1=1
      16700 apiextensions.k8s.io v1=15
      16700 admissionregistration.k8s.io v1=15 v1beta1=12 v1alpha1=9
      16600 scheduling.k8s.io v1=15 v1alpha2=2
      16500 coordination.k8s.io v1=15 v1beta1=13 v1alpha2=12
      16300 node.k8s.io v1=15 v1beta1=9 v1alpha1=1
      16200 discovery.k8s.io v1=15 v1beta1=12
      16200 resource.k8s.io v1=21 v1beta2=15 v1beta1=9 v1alpha3=1
      16100 flowcontrol.apiserver.k8s.io v1=21 v1beta3=18
      16000 internal.apiserver.k8s.io v1alpha1=9
      15800 storagemigration.k8s.io v1beta1=9
      """;

  private LocalApiServices() {}

  /** One for each version that is served and has a priority. */
  static List<BootstrapObject> of(ResourceCatalog catalog) {
    return of(catalog.groupVersions());
  }

  static List<BootstrapObject> of(Set<GroupVersion> served) {
    var all = new ArrayList<BootstrapObject>();
    priorities()
        .forEach(
            (version, priority) -> {
              if (served.contains(version)) {
                all.add(service(version, priority));
              }
            });
    return all;
  }

  private record Priority(long group, long version) {}

  private static Map<GroupVersion, Priority> priorities() {
    var all = new LinkedHashMap<GroupVersion, Priority>();
    all.put(new GroupVersion("", "v1"), new Priority(18000, 1));
    for (var line : PRIORITIES.lines().toList()) {
      var words = line.split(" ");
      for (int i = 2; i < words.length; i++) {
        int equals = words[i].indexOf('=');
        all.put(
            new GroupVersion(words[1], words[i].substring(0, equals)),
            new Priority(Long.parseLong(words[0]), Long.parseLong(words[i].substring(equals + 1))));
      }
    }
    return all;
  }

  private static BootstrapObject service(GroupVersion version, Priority priority) {
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
