package dev.muster.admission.pods;

import dev.muster.admission.config.AdmissionConfiguration;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionDenial;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.RelatedStatusUpdate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Adds a node selector to pods, from the namespace's annotation or else from the cluster default in
 * the configuration file. The file can also limit the labels by which the pods of a namespace
 * select nodes.
 */
public final class PodNodeSelector implements Admission {
  private static final String ANNOTATION = "scheduler.alpha.kubernetes.io/node-selector";
  private static final String SELECTORS = "podNodeSelectorPluginConfig";
  private static final String CLUSTER = "clusterDefaultNodeSelector";

  /** By namespace, and the cluster default. */
  private final Map<String, JsonObject> selectors;

  /**
   * @param configuration of the plugin; empty for none
   * @throws IllegalArgumentException when it is invalid
   */
  public PodNodeSelector(JsonObject configuration) {
    AdmissionConfiguration.only(configuration, Set.of(SELECTORS), "PodNodeSelector");
    var given = configuration.object(SELECTORS);
    var read = new HashMap<String, JsonObject>();
    for (var name : given.keys()) {
      read.put(
          name,
          read(
              given.string(name),
              problem -> AdmissionConfiguration.wrong("PodNodeSelector." + name + ": " + problem)));
    }
    selectors = Map.copyOf(read);
  }

  @Override
  public JsonObject admit(AdmissionRequest request) {
    if (!Pods.isCreated(request)) {
      return Admission.super.admit(request);
    }
    var pod = request.mustObject();
    var chosen = selector(request);
    if (chosen.isEmpty()) {
      checkAllowed(request, pod);
      return pod;
    }
    var merged = chosen.toBuilder();
    var own = Pods.spec(pod).object("nodeSelector");
    for (int i = 0; i < own.size(); i++) {
      merged.put(own.key(i), own.value(i));
    }
    var selecting = Pods.withSpec(pod, Pods.spec(pod).with("nodeSelector", merged.build()));
    checkAllowed(request, selecting);
    return selecting;
  }

  @Override
  public List<RelatedStatusUpdate> validate(AdmissionRequest request) {
    if (Pods.isCreated(request)) {
      selector(request);
      checkAllowed(request, request.mustObject());
    }
    return List.of();
  }

  /** Refuses node selectors that the file does not allow in the namespace. */
  private void checkAllowed(AdmissionRequest request, JsonObject pod) {
    var allowed = selectors.getOrDefault(request.namespace(), JsonObject.EMPTY);
    var own = Pods.spec(pod).object("nodeSelector");
    for (int i = 0; i < own.size() && !allowed.isEmpty(); i++) {
      if (!own.value(i).equals(allowed.get(own.key(i)))) {
        throw conflict(
            request, "pod node label selector labels conflict with its namespace whitelist");
      }
    }
  }

  /** The selector of the namespace; throws if the pod's contradicts it. */
  private JsonObject selector(AdmissionRequest request) {
    var namespace = request.cluster().get("/namespaces", "", request.namespace());
    if (namespace == null) {
      throw AdmissionDenial.of(request, "namespace " + request.namespace() + " does not exist");
    }
    var annotations = namespace.object("metadata", "annotations");
    var chosen =
        annotations.has(ANNOTATION)
            ? read(annotations.string(ANNOTATION), problem -> AdmissionDenial.of(request, problem))
            : selectors.getOrDefault(CLUSTER, JsonObject.EMPTY);
    var own = Pods.spec(request.mustObject()).object("nodeSelector");
    for (int i = 0; i < chosen.size(); i++) {
      var given = own.get(chosen.key(i));
      if (given != null && !given.equals(chosen.value(i))) {
        throw conflict(
            request, "pod node label selector conflicts with its namespace node label selector");
      }
    }
    return chosen;
  }

  private static ApiException conflict(AdmissionRequest request, String why) {
    return ApiException.forbidden(
        request.resource(), request.mustObject().object("metadata").string("name"), why);
  }

  private static JsonObject read(String selector, Function<String, RuntimeException> wrong) {
    var chosen = JsonObject.builder();
    if (!selector.isEmpty()) {
      for (var label : selector.split(",", -1)) {
        var parts = label.split("=", -1);
        if (parts.length != 2) {
          throw wrong.apply("invalid selector: [" + String.join(" ", parts) + "]");
        }
        chosen.put(parts[0].strip(), parts[1].strip());
      }
    }
    return chosen.build();
  }
}
