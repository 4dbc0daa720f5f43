package dev.muster.admission.pods;

import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.registry.admission.AdmissionDenial;
import dev.muster.registry.admission.AdmissionRequest;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Limits pods to the secrets that their service account lists, if the account enforces that. */
public record MountableSecrets(JsonObject account) {
  private static final List<String> SECRET_REFS =
      List.of("cephfs", "cinder", "flexVolume", "rbd", "scaleIO", "iscsi", "storageos");

  public void check(AdmissionRequest request, JsonObject spec, boolean ephemeralOnly) {
    var name = account.object("metadata").string("name");
    var secrets = names("secrets");
    if (ephemeralOnly) {
      checkContainers(request, spec, "ephemeralContainers", "ephemeral container", secrets);
      return;
    }
    for (var volume : spec.array("volumes").objects()) {
      var secret = volume.object("secret").string("secretName");
      if (volume.has("secret") && !secrets.contains(secret)) {
        throw refuse(request, "volume with secret.secretName=\"" + secret + "\"");
      }
    }
    checkContainers(request, spec, "initContainers", "init container", secrets);
    checkContainers(request, spec, "containers", "container", secrets);
    var pulls = names("imagePullSecrets");
    var given = spec.array("imagePullSecrets").objects();
    for (int i = 0; i < given.size(); i++) {
      var pull = given.get(i).string("name");
      if (!pulls.contains(pull)) {
        throw AdmissionDenial.of(
            request,
            ("imagePullSecrets[%d].name=\"%s\" is not allowed because service account %s does not"
                    + " reference that imagePullSecret")
                .formatted(i, pull, name));
      }
    }
  }

  private Set<String> names(String field) {
    return account.array(field).objects().stream()
        .map(reference -> reference.string("name"))
        .collect(Collectors.toSet());
  }

  private void checkContainers(
      AdmissionRequest request, JsonObject spec, String field, String kind, Set<String> allowed) {
    for (var container : spec.array(field).objects()) {
      var start = kind + " " + container.string("name") + " with ";
      for (var variable : container.array("env").objects()) {
        var reference = variable.object("valueFrom", "secretKeyRef");
        if (!reference.isEmpty() && !allowed.contains(reference.string("name"))) {
          throw refuse(
              request,
              start
                  + "envVar "
                  + variable.string("name")
                  + " referencing secret.secretName=\""
                  + reference.string("name")
                  + "\"");
        }
      }
      for (var source : container.array("envFrom").objects()) {
        var reference = source.object("secretRef");
        if (!reference.isEmpty() && !allowed.contains(reference.string("name"))) {
          throw refuse(
              request,
              start + "envFrom referencing secret.secretName=\"" + reference.string("name") + "\"");
        }
      }
    }
  }

  private ApiException refuse(AdmissionRequest request, String what) {
    return AdmissionDenial.of(
        request,
        what
            + " is not allowed because service account "
            + account.object("metadata").string("name")
            + " does not reference that secret");
  }

  /** Whether a pod refers to any secret. */
  public static boolean anySecret(JsonObject spec) {
    return spec.array("imagePullSecrets").objects().stream().anyMatch(r -> named(r, "name"))
        || Pods.allContainers(spec).stream().anyMatch(MountableSecrets::containerUsesSecret)
        || spec.array("volumes").objects().stream().anyMatch(MountableSecrets::volumeUsesSecret);
  }

  private static boolean named(JsonObject reference, String field) {
    return !reference.string(field).isEmpty();
  }

  private static boolean containerUsesSecret(JsonObject container) {
    return container.array("envFrom").objects().stream()
            .anyMatch(source -> named(source.object("secretRef"), "name"))
        || container.array("env").objects().stream()
            .anyMatch(variable -> named(variable.object("valueFrom", "secretKeyRef"), "name"));
  }

  private static boolean volumeUsesSecret(JsonObject volume) {
    return named(volume.object("secret"), "secretName")
        || named(volume.object("azureFile"), "secretName")
        || named(volume.object("csi", "nodePublishSecretRef"), "name")
        || SECRET_REFS.stream().anyMatch(kind -> named(volume.object(kind, "secretRef"), "name"))
        || volume.object("projected").array("sources").objects().stream()
            .anyMatch(source -> named(source.object("secret"), "name"));
  }
}
