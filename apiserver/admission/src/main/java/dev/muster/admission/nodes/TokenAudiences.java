package dev.muster.admission.nodes;

import dev.muster.admission.pods.Pods;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.JsonObject;
import dev.muster.types.ClusterView;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The token audiences that the volumes of a pod need: those of projected tokens, and those that CSI
 * drivers request.
 */
final class TokenAudiences {
  /** The CSI drivers that replaced built-in volume types. */
  private static final Map<String, String> MIGRATED =
      Map.of(
          "awsElasticBlockStore", "ebs.csi.aws.com",
          "azureDisk", "disk.csi.azure.com",
          "azureFile", "file.csi.azure.com",
          "cinder", "cinder.csi.openstack.org",
          "gcePersistentDisk", "pd.csi.storage.gke.io",
          "portworxVolume", "pxd.portworx.com",
          "vsphereVolume", "csi.vsphere.vmware.com");

  private final ClusterView cluster;
  private final JsonObject pod;
  private final Set<String> missing = new LinkedHashSet<>();

  TokenAudiences(ClusterView cluster, JsonObject pod) {
    this.cluster = cluster;
    this.pod = pod;
  }

  boolean contains(String audience) {
    for (var volume : Pods.spec(pod).array("volumes").objects()) {
      for (var source : volume.object("projected").array("sources").objects()) {
        if (source.has("serviceAccountToken")
            && source.object("serviceAccountToken").string("audience").equals(audience)) {
          return true;
        }
      }
      if (wants(driver(volume), audience)) {
        return true;
      }
    }
    return false;
  }

  /** The names of objects that were not found; "" when all exist. */
  String problem() {
    return missing.size() > 1 ? "[" + String.join(", ", missing) + "]" : String.join(", ", missing);
  }

  private boolean wants(String driver, String audience) {
    if (driver.isEmpty()) {
      return false;
    }
    return get("/csidrivers", "csidriver.storage.k8s.io", "", driver)
        .object("spec")
        .array("tokenRequests")
        .objects()
        .stream()
        .anyMatch(wanted -> wanted.string("audience").equals(audience));
  }

  private String driver(JsonObject volume) {
    var metadata = pod.object("metadata");
    if (volume.object("ephemeral").has("volumeClaimTemplate")) {
      return driverOfClaim(metadata.string("name") + "-" + volume.string("name"));
    }
    if (volume.has("persistentVolumeClaim")) {
      return driverOfClaim(volume.object("persistentVolumeClaim").string("claimName"));
    }
    return driverOf(volume);
  }

  private String driverOfClaim(String name) {
    var namespace = pod.object("metadata").string("namespace");
    var claim = get("/persistentvolumeclaims", "persistentvolumeclaim", namespace, name);
    if (claim.isEmpty()) {
      return "";
    }
    var volume =
        get(
            "/persistentvolumes",
            "persistentvolume",
            "",
            claim.object("spec").string("volumeName"));
    return driverOf(volume.object("spec"));
  }

  private static String driverOf(JsonObject source) {
    if (source.has("csi")) {
      return source.object("csi").string("driver");
    }
    for (var kind : MIGRATED.entrySet()) {
      if (source.has(kind.getKey())) {
        return kind.getValue();
      }
    }
    return "";
  }

  private JsonObject get(String collection, String kind, String namespace, String name) {
    var found = cluster.get(collection, namespace, name);
    if (found == null) {
      missing.add(kind + " " + GoText.quote(name) + " not found");
      return JsonObject.EMPTY;
    }
    return found;
  }
}
