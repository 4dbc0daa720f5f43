package dev.muster.admission.podsecurity;

import static dev.muster.admission.podsecurity.Violation.containers;
import static dev.muster.admission.podsecurity.Violation.plural;
import static dev.muster.admission.podsecurity.Violation.quote;

import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The checks that the level {@code restricted} adds; a check returns null when the pod complies.
 */
final class RestrictedChecks {
  private static final List<String> ALLOWED_VOLUMES =
      List.of(
          "configMap",
          "csi",
          "downwardAPI",
          "emptyDir",
          "ephemeral",
          "image",
          "persistentVolumeClaim",
          "projected",
          "secret");
  private static final List<String> OTHER_VOLUMES =
      List.of(
          "hostPath",
          "gcePersistentDisk",
          "awsElasticBlockStore",
          "gitRepo",
          "nfs",
          "iscsi",
          "glusterfs",
          "rbd",
          "flexVolume",
          "cinder",
          "cephfs",
          "flocker",
          "fc",
          "azureFile",
          "vsphereVolume",
          "quobyte",
          "azureDisk",
          "photonPersistentDisk",
          "portworxVolume",
          "scaleIO",
          "storageos");

  private RestrictedChecks() {}

  static @Nullable Violation allowPrivilegeEscalation(PodView pod, int minor) {
    if (minor < 8 || (minor >= 25 && pod.isWindows())) {
      return null;
    }
    var names =
        pod.containersWhose(
            context ->
                !context.has("allowPrivilegeEscalation")
                    || context.isTrue("allowPrivilegeEscalation"));
    return names.isEmpty()
        ? null
        : new Violation(
            "allowPrivilegeEscalation != false",
            containers(names) + " must set securityContext.allowPrivilegeEscalation=false");
  }

  static @Nullable Violation capabilities(PodView pod, int minor) {
    if (minor >= 25 && pod.isWindows()) {
      return null;
    }
    var added = new TreeSet<String>();
    var keeping =
        pod.containersWhose(
            context -> !context.object("capabilities").array("drop").strings().contains("ALL"));
    var adding =
        pod.containersWhose(
            context -> {
              var bad = new HashSet<>(context.object("capabilities").array("add").strings());
              bad.removeAll(Set.of("NET_BIND_SERVICE"));
              added.addAll(bad);
              return !bad.isEmpty();
            });
    var details = new ArrayList<String>();
    if (!keeping.isEmpty()) {
      details.add(containers(keeping) + " must set securityContext.capabilities.drop=[\"ALL\"]");
    }
    if (!adding.isEmpty()) {
      details.add(
          containers(adding)
              + " must not include "
              + quote(added)
              + " in securityContext.capabilities.add");
    }
    return details.isEmpty()
        ? null
        : new Violation("unrestricted capabilities", String.join("; ", details));
  }

  static @Nullable Violation volumes(PodView pod, int minor) {
    var names = new ArrayList<String>();
    var types = new TreeSet<String>();
    for (var volume : pod.spec().array("volumes").objects()) {
      if (ALLOWED_VOLUMES.stream().noneMatch(volume::has)) {
        names.add(volume.string("name"));
        types.add(OTHER_VOLUMES.stream().filter(volume::has).findFirst().orElse("unknown"));
      }
    }
    return names.isEmpty()
        ? null
        : new Violation(
            "restricted volume types",
            "%s %s %s %s %s"
                .formatted(
                    plural(names, "volume", "volumes"),
                    quote(names),
                    plural(names, "uses", "use"),
                    plural(types, "restricted volume type", "restricted volume types"),
                    quote(types)));
  }

  static @Nullable Violation runAsNonRoot(PodView pod, int minor) {
    if (minor >= 35 && pod.hasOwnUsers()) {
      return null;
    }
    var setters = new ArrayList<String>();
    BaselineChecks.collect(
        pod, context -> context.has("runAsNonRoot") && !context.isTrue("runAsNonRoot"), setters);
    if (!setters.isEmpty()) {
      return new Violation(
          "runAsNonRoot != true",
          String.join(" and ", setters) + " must not set securityContext.runAsNonRoot=false");
    }
    return silent(
        pod,
        context -> context.isTrue("runAsNonRoot"),
        "runAsNonRoot",
        "runAsNonRoot != true",
        "securityContext.runAsNonRoot=true");
  }

  /** The violation when neither the pod nor its containers set a required field. */
  private static @Nullable Violation silent(
      PodView pod, Predicate<JsonObject> good, String field, String reason, String wanted) {
    if (good.test(pod.context())) {
      return null;
    }
    var names = pod.containersWhose(context -> !context.has(field));
    return names.isEmpty()
        ? null
        : new Violation(reason, "pod or " + containers(names) + " must set " + wanted);
  }

  static @Nullable Violation runAsUser(PodView pod, int minor) {
    if (minor < 23 || (minor >= 35 && pod.hasOwnUsers())) {
      return null;
    }
    var setters = new ArrayList<String>();
    BaselineChecks.collect(pod, context -> context.integer("runAsUser", -1) == 0, setters);
    return setters.isEmpty()
        ? null
        : new Violation("runAsUser=0", String.join(" and ", setters) + " must not set runAsUser=0");
  }

  static @Nullable Violation seccompProfile(PodView pod, int minor) {
    if (minor >= 25 && pod.isWindows()) {
      return null;
    }
    var explicit = BaselineChecks.seccompFields(pod);
    return explicit != null
        ? explicit
        : silent(
            pod,
            BaselineChecks::isSeccomp,
            "seccompProfile",
            "seccompProfile",
            "securityContext.seccompProfile.type to \"RuntimeDefault\" or \"Localhost\"");
  }
}
