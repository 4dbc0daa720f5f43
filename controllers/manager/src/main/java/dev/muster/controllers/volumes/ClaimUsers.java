package dev.muster.controllers.volumes;

import dev.muster.model.json.JsonObject;
import java.util.LinkedHashSet;
import java.util.Set;

/** Finds the claims that a pod uses. */
final class ClaimUsers {
  private ClaimUsers() {}

  /** By name, including those generated for ephemeral volumes. */
  static Set<String> claims(JsonObject pod) {
    var names = new LinkedHashSet<String>();
    for (var volume : pod.object("spec").array("volumes").objects()) {
      if (volume.has("persistentVolumeClaim")) {
        names.add(volume.object("persistentVolumeClaim").string("claimName"));
      } else if (volume.has("ephemeral")) {
        names.add(pod.object("metadata").string("name") + "-" + volume.string("name"));
      }
    }
    return names;
  }

  /** Whether the pod may have mounted the claim; a pod without a node has not. */
  static boolean uses(JsonObject pod, JsonObject claim) {
    var name = claim.object("metadata").string("name");
    if (pod.object("spec").string("nodeName").isEmpty() || !claims(pod).contains(name)) {
      return false;
    }
    boolean byName =
        pod.object("spec").array("volumes").objects().stream()
            .anyMatch(
                volume -> volume.object("persistentVolumeClaim").string("claimName").equals(name));
    return byName || isOwner(pod, claim);
  }

  private static boolean isOwner(JsonObject pod, JsonObject claim) {
    var uid = pod.object("metadata").string("uid");
    return claim.object("metadata").array("ownerReferences").objects().stream()
        .anyMatch(owner -> owner.isTrue("controller") && owner.string("uid").equals(uid));
  }
}
