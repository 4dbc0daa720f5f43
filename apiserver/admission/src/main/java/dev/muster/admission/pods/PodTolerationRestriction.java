package dev.muster.admission.pods;

import dev.muster.admission.config.AdmissionConfiguration;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionDenial;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.RelatedStatusUpdate;
import dev.muster.validation.pods.scheduling.TolerationRules;
import dev.muster.wire.ConfigurationKind;
import dev.muster.wire.DecodeException;
import dev.muster.wire.JsonReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Adds default tolerations to pods and limits the allowed ones, from the namespace's annotations or
 * else from the cluster-wide configuration file.
 */
public final class PodTolerationRestriction implements Admission {
  private static final String DEFAULTS = "scheduler.alpha.kubernetes.io/defaultTolerations";
  private static final String ALLOWED = "scheduler.alpha.kubernetes.io/tolerationsWhitelist";
  private static final JsonObject UNDER_PRESSURE =
      JsonObject.of(
          "key",
          "node.kubernetes.io/memory-pressure",
          "operator",
          "Exists",
          "effect",
          "NoSchedule");
  private static final String PLUGIN = "PodTolerationRestriction";
  private static final ConfigurationKind KIND =
      new ConfigurationKind(
          "Configuration", Set.of("podtolerationrestriction.admission.k8s.io/v1alpha1"));

  private final List<JsonObject> clusterDefaults;
  private final List<JsonObject> clusterAllowed;

  /**
   * @param configuration of the plugin; empty for none
   * @throws IllegalArgumentException when it is invalid
   */
  public PodTolerationRestriction(JsonObject configuration) {
    if (!configuration.isEmpty()) {
      try {
        KIND.check(configuration, ConfigurationKind.shown(configuration));
      } catch (DecodeException e) {
        throw AdmissionConfiguration.wrong(PLUGIN + ": " + e.text());
      }
      var known = Set.of("apiVersion", "kind", "default", "whitelist");
      AdmissionConfiguration.only(configuration, known, PLUGIN);
    }
    clusterDefaults = checked(configuration, "default");
    clusterAllowed = checked(configuration, "whitelist");
  }

  private static List<JsonObject> checked(JsonObject configuration, String field) {
    var named = JsonObject.of("podtolerationrestriction", configuration);
    var errors = TolerationRules.problems(named, "podtolerationrestriction", field);
    if (!errors.isEmpty()) {
      throw AdmissionConfiguration.wrong(PLUGIN + ": invalid config: " + FieldError.join(errors));
    }
    return configuration.array(field).objects();
  }

  @Override
  public JsonObject admit(AdmissionRequest request) {
    if (!applies(request)) {
      return Admission.super.admit(request);
    }
    var pod = request.mustObject();
    var more = new ArrayList<JsonObject>();
    if (request.operation() == AdmissionOperation.CREATE) {
      more.addAll(tolerations(request, DEFAULTS, clusterDefaults));
    }
    if (asksForResources(pod)) {
      more.add(UNDER_PRESSURE);
    }
    if (!more.isEmpty()) {
      var own = Pods.spec(pod).array("tolerations").objects();
      pod =
          Pods.withSpec(
              pod, Pods.spec(pod).with("tolerations", JsonArray.of(Tolerations.merge(own, more))));
    }
    check(request, pod);
    return pod;
  }

  @Override
  public List<RelatedStatusUpdate> validate(AdmissionRequest request) {
    if (applies(request)) {
      check(request, request.mustObject());
    }
    return List.of();
  }

  private static boolean applies(AdmissionRequest request) {
    return request.createsOrUpdates() && Pods.isPod(request);
  }

  private static boolean asksForResources(JsonObject pod) {
    var said = pod.object("status").string("qosClass");
    return said.isEmpty()
        ? Pods.containers(Pods.spec(pod), "containers", "initContainers").stream()
            .anyMatch(
                container ->
                    !container.object("resources", "requests").isEmpty()
                        || !container.object("resources", "limits").isEmpty())
        : !said.equals("BestEffort");
  }

  private void check(AdmissionRequest request, JsonObject pod) {
    var own = Pods.spec(pod).array("tolerations").objects();
    List<JsonObject> allowed =
        own.isEmpty() ? List.of() : tolerations(request, ALLOWED, clusterAllowed);
    if (allowed.isEmpty()) {
      return;
    }
    for (var toleration : own) {
      if (allowed.stream().noneMatch(wide -> Tolerations.covers(wide, toleration))) {
        throw AdmissionDenial.of(
            request,
            "pod tolerations (possibly merged with namespace default tolerations) conflict with"
                + " its namespace whitelist");
      }
    }
  }

  /** The tolerations of the namespace, or of the cluster if the namespace has none. */
  private static List<JsonObject> tolerations(
      AdmissionRequest request, String key, List<JsonObject> ofCluster) {
    var namespace = request.cluster().get("/namespaces", "", request.namespace());
    if (namespace == null || !namespace.object("metadata", "annotations").has(key)) {
      return ofCluster;
    }
    var text = namespace.object("metadata", "annotations").string(key);
    if (text.isEmpty()) {
      return List.of();
    }
    try {
      return JsonReader.read(text.getBytes(StandardCharsets.UTF_8)) instanceof JsonArray list
          ? list.objects()
          : List.of();
    } catch (DecodeException e) {
      throw AdmissionDenial.of(request, key + ": " + e.getMessage());
    }
  }
}
