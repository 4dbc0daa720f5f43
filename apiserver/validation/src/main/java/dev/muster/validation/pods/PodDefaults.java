package dev.muster.validation.pods;

import static dev.muster.validation.Default.all;
import static dev.muster.validation.Default.code;
import static dev.muster.validation.Default.computed;
import static dev.muster.validation.Default.each;
import static dev.muster.validation.Default.in;
import static dev.muster.validation.Default.make;
import static dev.muster.validation.Default.nonZero;
import static dev.muster.validation.Default.value;
import static dev.muster.validation.Default.when;
import static dev.muster.validation.Default.withoutEmpty;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.validation.Default;
import dev.muster.validation.Resources;
import dev.muster.validation.pods.containers.ImageReference;
import dev.muster.validation.pods.containers.PodResources;
import dev.muster.validation.storage.ClaimRules;
import dev.muster.validation.storage.VolumeSources;
import java.util.List;

/** The defaults of pods and pod templates. */
public final class PodDefaults {
  private static final long DEFAULT_MODE = 420;
  private static final List<String> OLD_ANNOTATIONS =
      List.of(
          "pod.beta.kubernetes.io/init-containers",
          "pod.alpha.kubernetes.io/init-containers",
          "pod.beta.kubernetes.io/init-container-statuses",
          "pod.alpha.kubernetes.io/init-container-statuses");

  private static final Default FIELD_REF = in("fieldRef", value("apiVersion", "v1"));

  private static final Default HTTP_GET =
      in("httpGet", value("path", "/"), value("scheme", "HTTP"));

  private static final Default PROBE =
      all(
          nonZero("timeoutSeconds", 1),
          nonZero("periodSeconds", 10),
          nonZero("successThreshold", 1),
          nonZero("failureThreshold", 3),
          HTTP_GET,
          in("grpc", evenEmpty("service", Json.of(""))));

  private static final Default CONTAINER =
      all(
          computed("imagePullPolicy", container -> pullPolicy(container.string("image"))),
          value("terminationMessagePath", "/dev/termination-log"),
          value("terminationMessagePolicy", "File"),
          each("ports", value("protocol", "TCP")),
          each("env", in("valueFrom", FIELD_REF, in("fileKeyRef", value("optional", false)))),
          in("resources", Resources.rounded("limits"), Resources.rounded("requests")),
          in("livenessProbe", PROBE),
          in("readinessProbe", PROBE),
          in("startupProbe", PROBE),
          in("lifecycle", in("postStart", HTTP_GET), in("preStop", HTTP_GET)));

  private static final Default VOLUME =
      all(
          when(volume -> volume.size() == (volume.has("name") ? 1 : 0), make("emptyDir")),
          in("image", computed("pullPolicy", image -> pullPolicy(image.string("reference")))),
          VolumeSources.DEFAULTS,
          in("secret", value("defaultMode", DEFAULT_MODE)),
          in("configMap", value("defaultMode", DEFAULT_MODE)),
          in("downwardAPI", value("defaultMode", DEFAULT_MODE), each("items", FIELD_REF)),
          in(
              "projected",
              value("defaultMode", DEFAULT_MODE),
              each(
                  "sources",
                  in("downwardAPI", each("items", FIELD_REF)),
                  in("serviceAccountToken", value("expirationSeconds", 3600)))),
          in("ephemeral", in("volumeClaimTemplate", make("spec", ClaimRules.SPEC_DEFAULTS))));

  /** Defaults of a pod spec, also in templates. */
  static final Default SPEC =
      all(
          code(PodDefaults::serviceAccount),
          value("dnsPolicy", "ClusterFirst"),
          value("restartPolicy", "Always"),
          make("securityContext"),
          // Windows pods have no such groups, not even an empty list.
          when(
              spec -> !spec.object("os").string("name").equals("windows"),
              in("securityContext", withoutEmpty("supplementalGroups"))),
          value("terminationGracePeriodSeconds", 30),
          value("schedulerName", "default-scheduler"),
          each("volumes", VOLUME),
          each("initContainers", CONTAINER),
          each("containers", CONTAINER),
          each("ephemeralContainers", CONTAINER),
          Resources.rounded("overhead"),
          in("resources", Resources.rounded("limits"), Resources.rounded("requests")));

  /** Defaults of a pod template. */
  public static final Default TEMPLATE =
      all(in("metadata", code(PodDefaults::withoutOldAnnotations)), make("spec", SPEC));

  private static final Default STATUS =
      all(
          Resources.rounded("allocatedResources"),
          in("resources", Resources.rounded("limits"), Resources.rounded("requests")));

  private static final Default REQUESTS = in("resources", code(PodDefaults::requestsFromLimits));

  /** Defaults of a pod. */
  static final Default POD =
      all(
          in("metadata", code(PodDefaults::withoutOldAnnotations)),
          make(
              "spec",
              each("containers", REQUESTS),
              each("initContainers", REQUESTS),
              code(PodResources::podLevel),
              value("enableServiceLinks", true),
              when(
                  spec -> spec.isTrue("hostNetwork"),
                  each("containers", each("ports", code(PodDefaults::hostPort))),
                  each("initContainers", each("ports", code(PodDefaults::hostPort)))),
              code(PodDefaults::gracePeriod),
              SPEC),
          in(
              "status",
              code(PodDefaults::addresses),
              STATUS,
              each("initContainerStatuses", STATUS),
              each("containerStatuses", STATUS),
              each("ephemeralContainerStatuses", STATUS)));

  private PodDefaults() {}

  /** A value for an absent field; an empty string counts as present. */
  private static Default evenEmpty(String field, Json value) {
    return code(
        object ->
            object.get(field) == null || object.get(field) == JsonNull.NULL
                ? object.with(field, value)
                : object);
  }

  private static Json pullPolicy(String image) {
    return Json.of(ImageReference.isLatest(image) ? "Always" : "IfNotPresent");
  }

  /** Copies {@code serviceAccountName} to the deprecated field {@code serviceAccount}. */
  private static JsonObject serviceAccount(JsonObject spec) {
    var name = spec.string("serviceAccountName");
    name = name.isEmpty() ? spec.string("serviceAccount") : name;
    if (name.isEmpty()) {
      return spec;
    }
    return spec.string("serviceAccountName").equals(name)
            && spec.string("serviceAccount").equals(name)
        ? spec
        : spec.with("serviceAccountName", name).with("serviceAccount", name);
  }

  private static JsonObject withoutOldAnnotations(JsonObject metadata) {
    var kept = metadata;
    for (var name : OLD_ANNOTATIONS) {
      if (kept.object("annotations").has(name)) {
        kept = kept.withoutAt("annotations", name);
      }
    }
    return kept;
  }

  /** Requests default to limits. */
  private static JsonObject requestsFromLimits(JsonObject resources) {
    var limits = resources.object("limits");
    var requests = resources.object("requests");
    var filled = requests.filledFrom(limits);
    return filled == requests ? resources : resources.with("requests", filled);
  }

  private static JsonObject hostPort(JsonObject port) {
    return port.integer("hostPort", 0) != 0 || port.integer("containerPort", 0) == 0
        ? port
        : port.with("hostPort", port.integer("containerPort", 0));
  }

  private static JsonObject gracePeriod(JsonObject spec) {
    return spec.integer("terminationGracePeriodSeconds", 0) < 0
        ? spec.with("terminationGracePeriodSeconds", 1)
        : spec;
  }

  /**
   * Keeps {@code podIP} equal to the first of {@code podIPs}; where they differ, {@code podIP}
   * wins.
   */
  private static JsonObject addresses(JsonObject status) {
    var ip = status.string("podIP");
    var ips = status.array("podIPs");
    var first = ips.isEmpty() ? "" : ips.object(0).string("ip");
    if (ip.isEmpty()) {
      return first.isEmpty() ? status : status.with("podIP", first);
    }
    return ip.equals(first) ? status : status.with("podIPs", JsonArray.of(JsonObject.of("ip", ip)));
  }
}
