package dev.muster.admission.pods;

import dev.muster.model.GeneratedName;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionDenial;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.RelatedStatusUpdate;
import dev.muster.registry.commit.RetryWhenChanged;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * The plugin {@code ServiceAccount}: sets and checks the service account of a pod and mounts its
 * API token.
 */
public final class ServiceAccounts implements Admission {
  private static final String MOUNT_PATH = "/var/run/secrets/kubernetes.io/serviceaccount";
  private static final String VOLUME = "kube-api-access-";
  private static final String ENFORCE = "kubernetes.io/enforce-mountable-secrets";

  private static final Set<String> TRUE = Set.of("1", "t", "T", "true", "TRUE", "True");

  /**
   * How long to wait for the default service account of a new namespace, which a controller
   * creates; the same as in kube-apiserver.
   */
  private static final Duration DEFAULT_PATIENCE = Duration.ofMillis(1350);

  private final RandomGenerator random;

  public ServiceAccounts(RandomGenerator random) {
    this.random = random;
  }

  @Override
  public JsonObject admit(AdmissionRequest request) {
    if (!Pods.isCreated(request)) {
      return Admission.super.admit(request);
    }
    var pod = request.mustObject();
    if (Pods.isMirror(pod)) {
      checkMirror(request, Pods.spec(pod));
      return pod;
    }
    var spec = Pods.spec(pod);
    if (spec.string("serviceAccountName").isEmpty()) {
      spec = spec.with("serviceAccountName", "default").with("serviceAccount", "default");
    }
    var account = account(request, spec.string("serviceAccountName"));
    if (mounts(spec, account)) {
      spec = mountToken(spec);
    }
    if (spec.array("imagePullSecrets").isEmpty()) {
      var secrets = account.array("imagePullSecrets");
      if (!secrets.isEmpty()) {
        spec = spec.with("imagePullSecrets", secrets);
      }
    }
    checkSecrets(request, account, spec, false);
    return Pods.withSpec(pod, spec);
  }

  @Override
  public List<RelatedStatusUpdate> validate(AdmissionRequest request) {
    if (!request.isFor("", "pods") || request.object() == null) {
      return List.of();
    }
    var spec = Pods.spec(request.mustObject());
    boolean ephemeral =
        request.operation() == AdmissionOperation.UPDATE
            && request.subresource().equals("ephemeralcontainers");
    if (Pods.isCreated(request) && Pods.isMirror(request.mustObject())) {
      checkMirror(request, spec);
    } else if (Pods.isCreated(request) || ephemeral) {
      var name = spec.string("serviceAccountName");
      if (name.isEmpty()) {
        throw AdmissionDenial.of(
            request,
            "no service account specified for pod "
                + request.namespace()
                + "/"
                + request.mustObject().object("metadata").string("name"));
      }
      checkSecrets(request, account(request, name), spec, ephemeral);
    }
    return List.of();
  }

  private static void checkSecrets(
      AdmissionRequest request, JsonObject account, JsonObject spec, boolean ephemeralOnly) {
    if (TRUE.contains(account.object("metadata", "annotations").string(ENFORCE))) {
      new MountableSecrets(account).check(request, spec, ephemeralOnly);
    }
  }

  private static void checkMirror(AdmissionRequest request, JsonObject spec) {
    if (!spec.string("serviceAccountName").isEmpty()) {
      throw AdmissionDenial.of(request, "a mirror pod may not reference service accounts");
    }
    if (MountableSecrets.anySecret(spec)) {
      throw AdmissionDenial.of(request, "a mirror pod may not reference secrets");
    }
    for (var volume : spec.array("volumes").objects()) {
      for (var source : volume.object("projected").array("sources").objects()) {
        if (source.has("serviceAccountToken")) {
          throw AdmissionDenial.of(
              request, "a mirror pod may not use ServiceAccountToken volume projections");
        }
      }
    }
  }

  private static JsonObject account(AdmissionRequest request, String name) {
    var found = request.cluster().get("/serviceaccounts", request.namespace(), name);
    if (found == null) {
      var refusal =
          AdmissionDenial.of(
              request,
              "error looking up service account %s/%s: serviceaccount %s not found"
                  .formatted(request.namespace(), name, Json.of(name)));
      if (name.equals("default")) {
        throw new RetryWhenChanged(refusal, DEFAULT_PATIENCE);
      }
      throw refusal;
    }
    return found;
  }

  private static boolean mounts(JsonObject spec, JsonObject account) {
    if (spec.has("automountServiceAccountToken")) {
      return spec.isTrue("automountServiceAccountToken");
    }
    return !account.has("automountServiceAccountToken")
        || account.isTrue("automountServiceAccountToken");
  }

  private JsonObject mountToken(JsonObject spec) {
    String existing = null;
    for (var volume : spec.array("volumes").objects()) {
      if (existing == null && volume.string("name").startsWith(VOLUME)) {
        existing = volume.string("name");
      }
    }
    var name = existing == null ? GeneratedName.of(VOLUME, random) : existing;
    var mount = JsonObject.of("name", name, "readOnly", true, "mountPath", MOUNT_PATH);
    var changed = Pods.mapObjects(spec, "initContainers", container -> mount(container, mount));
    changed = Pods.mapObjects(changed, "containers", container -> mount(container, mount));
    return changed == spec || existing != null
        ? changed
        : Pods.plus(changed, "volumes", JsonObject.of("name", name, "projected", tokenVolume()));
  }

  private static JsonObject mount(JsonObject container, JsonObject mount) {
    for (var other : container.array("volumeMounts").objects()) {
      if (other.string("mountPath").equals(MOUNT_PATH)) {
        return container;
      }
    }
    return Pods.plus(container, "volumeMounts", mount);
  }

  private static JsonObject tokenVolume() {
    var token =
        JsonObject.of(
            "serviceAccountToken", JsonObject.of("expirationSeconds", 3607, "path", "token"));
    var authority =
        JsonObject.of(
            "configMap",
            JsonObject.of(
                "name",
                "kube-root-ca.crt",
                "items",
                JsonArray.of(JsonObject.of("key", "ca.crt", "path", "ca.crt"))));
    var namespace =
        JsonObject.of(
            "downwardAPI",
            JsonObject.of(
                "items",
                JsonArray.of(
                    JsonObject.of(
                        "path",
                        "namespace",
                        "fieldRef",
                        JsonObject.of("apiVersion", "v1", "fieldPath", "metadata.namespace")))));
    return JsonObject.of(
        "sources",
        JsonArray.of(new ArrayList<>(List.of(token, authority, namespace))),
        "defaultMode",
        420);
  }
}
