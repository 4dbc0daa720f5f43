package dev.muster.validation.pods;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.validation.IpRules;
import dev.muster.model.validation.Names;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.NodeSelectors;
import dev.muster.validation.Resources;
import dev.muster.validation.storage.ClaimRules;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Warns about valid but suspicious settings of pods and pod templates. */
public final class PodWarnings {
  private static final String SECCOMP = "seccomp.security.alpha.kubernetes.io/pod";
  private static final String SECCOMP_CONTAINER = "container.seccomp.security.alpha.kubernetes.io/";
  private static final String SECCOMP_TEXT =
      "non-functional in v1.27+; use the \"seccompProfile\" field instead";
  private static final String APP_ARMOR_TEXT =
      "deprecated since v1.30; use the \"appArmorProfile\" field instead";
  private static final String NO_POD = "a null labelSelector results in matching no pod";
  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
  private static final List<String> CONTAINERS =
      List.of("initContainers", "containers", "ephemeralContainers");

  private static final Map<String, String> ANNOTATIONS =
      Map.of(
          "scheduler.alpha.kubernetes.io/critical-pod",
          "non-functional in v1.16+; use the \"priorityClassName\" field instead",
          "security.alpha.kubernetes.io/sysctls",
          "non-functional in v1.11+; use the \"sysctls\" field instead",
          "security.alpha.kubernetes.io/unsafe-sysctls",
          "non-functional in v1.11+; use the \"sysctls\" field instead");

  private static final Map<String, String> VOLUMES =
      Map.of(
          "photonPersistentDisk",
          "deprecated in v1.11, non-functional in v1.16+",
          "gitRepo",
          "deprecated in v1.11, and disabled by default in v1.33+",
          "scaleIO",
          "deprecated in v1.16, non-functional in v1.22+",
          "flocker",
          "deprecated in v1.22, non-functional in v1.25+",
          "storageos",
          "deprecated in v1.22, non-functional in v1.25+",
          "quobyte",
          "deprecated in v1.22, non-functional in v1.25+",
          "glusterfs",
          "deprecated in v1.25, non-functional in v1.26+",
          "cephfs",
          "deprecated in v1.28, non-functional in v1.31+",
          "rbd",
          "deprecated in v1.28, non-functional in v1.31+");

  private PodWarnings() {}

  /** Warnings about a new pod. Updates get none, since users rarely make them. */
  static void pod(FieldCursor pod) {
    if (!pod.isUpdate()) {
      name(pod, "the Pod's hostname");
      check(pod);
    }
  }

  /** Warnings about a template, only if the generation changed. */
  public static void template(FieldCursor object, String... path) {
    var generation = object.at("metadata", "generation");
    if (!object.isUpdate() || generation.isChanged()) {
      unchecked(object, path);
    }
  }

  public static void unchecked(FieldCursor object, String... path) {
    var template = object;
    for (var step : path) {
      template = template.at(step);
    }
    if (template.isPresent()) {
      check(template);
      appArmor(template);
    }
  }

  /** Warns about a name that becomes part of pod names. */
  public static void podName(FieldCursor object) {
    if (!object.isUpdate()) {
      name(object, "Pod names and hostnames");
    }
  }

  private static void name(FieldCursor object, String use) {
    var name = object.at("metadata", "name");
    var problems = Names.dnsLabel(name.text());
    if (!problems.isEmpty()) {
      warn(
          name,
          "this is used in "
              + use
              + ", which can result in surprising behavior; a DNS label is recommended: ["
              + String.join(" ", problems)
              + "]");
    }
  }

  private static void warn(FieldCursor place, String text) {
    place.warn(place.path() + ": " + text);
  }

  private static void check(FieldCursor pod) {
    var spec = pod.at("spec");
    var annotations = pod.at("metadata", "annotations");
    scheduling(spec);
    ANNOTATIONS.keySet().stream()
        .sorted()
        .map(annotations::entry)
        .filter(FieldCursor::isPresent)
        .forEach(annotation -> warn(annotation, ANNOTATIONS.getOrDefault(annotation.name(), "")));
    spec.at("volumes").items().forEach(PodWarnings::volume);
    spec.at("volumes").items().forEach(OverlappingPaths::check);
    repeated(spec.at("hostAliases"), "ip");
    repeated(spec.at("imagePullSecrets"), "name");
    for (var secret : spec.at("imagePullSecrets").items()) {
      if (secret.at("name").isEmpty()) {
        warn(secret.at("name"), "invalid empty name \"\"");
      }
    }
    fraction(spec.at("overhead").entry("memory"));
    fraction(spec.at("overhead").entry("ephemeral-storage"));
    if (!spec.at("securityContext").has("seccompProfile") && annotations.has(SECCOMP)) {
      warn(annotations.entry(SECCOMP), SECCOMP_TEXT);
    }
    each(spec, container -> container(container, annotations));
    PortWarnings.check(spec);
    if (spec.at("terminationGracePeriodSeconds").integer() < 0) {
      warn(
          spec.at("terminationGracePeriodSeconds"),
          "must be >= 0; negative values are invalid and will be treated as 1");
    }
    for (var kind : List.of("podAffinity", "podAntiAffinity")) {
      var affinity = spec.at("affinity", kind);
      affinity.at(REQUIRED).items().forEach(term -> selects(term.at("labelSelector")));
      affinity
          .at(PREFERRED)
          .items()
          .forEach(term -> selects(term.at("podAffinityTerm", "labelSelector")));
    }
    spec.at("dnsConfig", "nameservers").items().forEach(PodWarnings::ip);
    spec.at("hostAliases").items().forEach(alias -> ip(alias.at("ip")));
  }

  private static void scheduling(FieldCursor spec) {
    for (var label : spec.at("nodeSelector").entries()) {
      var deprecation = NodeSelectors.deprecation(label.name());
      if (!deprecation.isEmpty()) {
        warn(label, deprecation);
      }
    }
    var affinity = spec.at("affinity", "nodeAffinity");
    for (var term : affinity.at(REQUIRED, "nodeSelectorTerms").items()) {
      term(term, false);
    }
    for (var term : affinity.at(PREFERRED).items()) {
      term(term.at("preference"), true);
    }
    for (var constraint : spec.at("topologySpreadConstraints").items()) {
      deprecatedKey(constraint.at("topologyKey"));
      selects(constraint.at("labelSelector"));
    }
  }

  private static void term(FieldCursor term, boolean checkValues) {
    for (var expression : term.at("matchExpressions").items()) {
      deprecatedKey(expression.at("key"));
      for (var value : checkValues ? expression.at("values").items() : List.<FieldCursor>of()) {
        for (var problem : Names.labelValue(value.text())) {
          warn(value, value.text() + " is invalid, " + problem);
        }
      }
    }
  }

  private static void deprecatedKey(FieldCursor key) {
    var deprecation = NodeSelectors.deprecation(key.text());
    if (!deprecation.isEmpty()) {
      warn(key, key.text() + " is " + deprecation);
    }
  }

  private static void selects(FieldCursor selector) {
    if (selector.isAbsent()) {
      warn(selector, NO_POD);
    }
  }

  private static void volume(FieldCursor volume) {
    for (var source : volume.object().keys()) {
      var text = VOLUMES.get(source);
      if (text != null) {
        warn(volume.at(source.equals("storageos") ? "storageOS" : source), text);
      }
    }
    ClaimRules.specWarnings(volume.at("ephemeral", "volumeClaimTemplate", "spec"));
  }

  private static void repeated(FieldCursor list, String field) {
    var seen = new HashSet<String>();
    for (var item : list.items()) {
      var value = item.at(field);
      if (!seen.add(value.text())) {
        warn(value, "duplicate " + field + " " + GoText.quote(value.text()));
      }
    }
  }

  private static void fraction(FieldCursor amount) {
    if (amount.isPresent() && Resources.amount(amount).milliValue() % 1000 != 0) {
      warn(
          amount,
          "fractional byte value "
              + GoText.quote(Resources.amount(amount).toString())
              + " is invalid, must be an integer");
    }
  }

  private static void each(FieldCursor spec, Consumer<FieldCursor> look) {
    CONTAINERS.forEach(list -> spec.at(list).items().forEach(look));
  }

  private static void container(FieldCursor container, FieldCursor annotations) {
    var seccomp = annotations.entry(SECCOMP_CONTAINER + container.at("name").text());
    if (seccomp.isPresent() && !container.at("securityContext").has("seccompProfile")) {
      warn(seccomp, SECCOMP_TEXT);
    }
    for (var resource : List.of("memory", "ephemeral-storage")) {
      fraction(container.at("resources", "limits").entry(resource));
      fraction(container.at("resources", "requests").entry(resource));
    }
    var names = new HashSet<String>();
    for (var variable : container.at("env").items()) {
      var name = variable.at("name").text();
      if (!names.add(name) && hides(variable, "$(" + name + ")")) {
        warn(
            variable,
            "hides previous definition of "
                + GoText.quote(name)
                + ", which may be dropped when using apply");
      }
    }
  }

  /** Whether the variable replaces the previous value without referring to it. */
  private static boolean hides(FieldCursor variable, String reference) {
    var value = variable.at("value").text();
    return variable.has("valueFrom") || value.equals(reference) || !value.contains(reference);
  }

  private static void ip(FieldCursor ip) {
    IpRules.ipWarnings(ip.path(), ip.text()).forEach(ip::warn);
  }

  /** Warns about annotations of a template that should be fields. */
  private static void appArmor(FieldCursor template) {
    var annotations = template.at("metadata", "annotations");
    var ofPod = template.at("spec", "securityContext", "appArmorProfile").value();
    each(
        template.at("spec"),
        container -> {
          var annotation = annotations.entry(AppArmor.ANNOTATION + container.at("name").text());
          if (annotation.isPresent()
              && !container.at("securityContext").has("appArmorProfile")
              && (ofPod == null || !ofPod.equals(AppArmor.profile(annotation.text())))) {
            warn(annotation, APP_ARMOR_TEXT);
          }
        });
  }

  /** Warns about annotations of a pod that become fields, or that cannot. */
  static void appArmorOfPod(FieldCursor pod) {
    if (!pod.at("spec", "os", "name").isText("windows")) {
      appArmor(pod);
    }
  }
}
