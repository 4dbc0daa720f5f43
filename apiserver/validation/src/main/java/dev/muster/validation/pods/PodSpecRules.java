package dev.muster.validation.pods;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonBool;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.model.validation.IpRules;
import dev.muster.model.validation.Names;
import dev.muster.model.validation.NumberRules;
import dev.muster.schema.read.EmptyFields;
import dev.muster.validation.FieldChecks;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.Rules;
import dev.muster.validation.ValueChecks;
import dev.muster.validation.pods.containers.ContainerRules;
import dev.muster.validation.pods.containers.Mounts;
import dev.muster.validation.pods.containers.ResourceRequirements;
import dev.muster.validation.pods.containers.Security;
import dev.muster.validation.pods.containers.WindowsRules;
import dev.muster.validation.pods.scheduling.Scheduling;
import dev.muster.validation.pods.scheduling.TolerationRules;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Validates the spec of a pod, also in a template. */
public final class PodSpecRules {
  private static final int MOST_NAMESERVERS = 3;
  private static final int MOST_SEARCHES = 32;
  private static final int MOST_SEARCH_TEXT = 2048;
  private static final int LONGEST_HOSTNAME = 64;

  /** The fields of a pod spec in which empty differs from absent. */
  public static final EmptyFields EMPTY_FIELDS =
      EmptyFields.at(
              "affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution"
                  + ".nodeSelectorTerms",
              "ephemeralContainers.ports",
              "ephemeralContainers.resizePolicy",
              "ephemeralContainers.resources.claims",
              "ephemeralContainers.resources.limits",
              "ephemeralContainers.resources.requests",
              "ephemeralContainers.restartPolicyRules",
              "resources.claims",
              "securityContext.supplementalGroups")
          .and(Rules.EMPTY_IN_TEMPLATES.under("volumes.ephemeral.volumeClaimTemplate.metadata"));

  private PodSpecRules() {}

  /** Validates a pod template. */
  public static void template(FieldCursor template) {
    if (template.isKnownValid()) {
      return;
    }
    var spec = template.at("spec");
    var annotations = metadata(template);
    check(spec, null);
    PodAnnotations.match(annotations, spec);
    if (!spec.at("ephemeralContainers").isEmpty()) {
      spec.at("ephemeralContainers").forbidden("ephemeral containers not allowed in pod template");
    }
  }

  /**
   * Validates the labels and annotations of a template; returns the field at which errors in
   * annotations are reported.
   */
  public static FieldCursor metadata(FieldCursor template) {
    var labels = template.at("metadata", "labels");
    FieldChecks.labels().check(template.at("labels").as(labels.value(), labels.old()));
    var given = template.at("metadata", "annotations");
    var annotations = template.at("annotations").as(given.value(), given.old());
    FieldChecks.annotations().check(annotations);
    PodAnnotations.check(annotations, template.at("spec"));
    return annotations;
  }

  /**
   * @param pod the metadata of the pod; null in templates
   */
  static void check(FieldCursor spec, @Nullable FieldCursor pod) {
    if (!spec.has("terminationGracePeriodSeconds")) {
      spec.at("terminationGracePeriodSeconds").required("");
    }
    var volumes = PodVolumes.check(spec.at("volumes"), pod == null ? "" : pod.at("name").text());
    claims(spec.at("resourceClaims"), pod);
    ContainerRules.check(spec, volumes);
    ResourceRequirements.ofPod(spec);
    hostNetwork(spec, pod != null);
    ValueChecks.choice(spec.at("restartPolicy"), "Always", "OnFailure", "Never");
    ValueChecks.choice(
        spec.at("dnsPolicy"), "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None");
    Scheduling.nodeSelector(spec.at("nodeSelector"));
    Security.ofPod(spec);
    Scheduling.affinity(spec.at("affinity"));
    dns(spec);
    for (var gate : spec.at("readinessGates").items()) {
      for (var problem : Names.qualifiedName(gate.at("conditionType").text())) {
        gate.at("conditionType").invalid(problem);
      }
    }
    Scheduling.gates(spec.at("schedulingGates"));
    Scheduling.spread(spec.at("topologySpreadConstraints"));
    WindowsRules.hostProcess(spec);
    hostUsers(spec);
    hostname(spec);
    name(spec.at("serviceAccountName"));
    name(spec.at("nodeName"));
    var deadline = spec.at("activeDeadlineSeconds");
    if (deadline.isPresent()) {
      deadline.invalidEach(NumberRules.range(deadline.integer(), 1, Integer.MAX_VALUE));
    }
    for (var label : List.of("hostname", "subdomain")) {
      if (!spec.at(label).isEmpty()) {
        spec.at(label).invalidEach(Names.dnsLabel(spec.at(label).text()));
      }
    }
    TolerationRules.check(spec.at("tolerations"));
    for (var alias : spec.at("hostAliases").items()) {
      var ip = alias.at("ip");
      Rules.report(ip, errors -> IpRules.strictLegacyIp(ip.path(), ip.text(), List.of(), errors));
      for (var host : alias.at("hostnames").items()) {
        host.invalidEach(Names.dnsSubdomain(host.text()));
      }
    }
    name(spec.at("priorityClassName"));
    if (spec.has("runtimeClassName")) {
      spec.at("runtimeClassName")
          .invalidEach(Names.dnsSubdomain(spec.at("runtimeClassName").text()));
    }
    if (spec.has("preemptionPolicy")) {
      ValueChecks.choice(spec.at("preemptionPolicy"), "PreemptLowerPriority", "Never");
    }
    ResourceRequirements.overhead(spec.at("overhead"), spec.at("overhead").object());
    WindowsRules.system(spec);
    ContainerRules.containers(spec).forEach(container -> Mounts.files(spec, container));
  }

  private static void name(FieldCursor name) {
    if (!name.isEmpty()) {
      name.invalidEach(Names.dnsSubdomain(name.text()));
    }
  }

  private static void claims(FieldCursor claims, @Nullable FieldCursor pod) {
    var names = new HashSet<String>();
    for (var claim : claims.items()) {
      if (pod != null && pod.at("annotations").has("kubernetes.io/config.mirror")) {
        claim.report(
            FieldError.forbidden(FieldPath.NAMELESS, "static pods do not support resource claims"));
        continue;
      }
      var name = claim.at("name");
      if (name.isEmpty()) {
        name.required("");
      } else if (!names.add(name.text())) {
        name.duplicate();
      } else {
        name.invalidEach(Names.dnsLabel(name.text()));
      }
      var direct = claim.at("resourceClaimName");
      var template = claim.at("resourceClaimTemplateName");
      if (direct.isPresent() && template.isPresent()) {
        claim.invalid(
            "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified");
      }
      if (direct.isAbsent() && template.isAbsent()) {
        claim.invalid("must specify one of: `resourceClaimName`, `resourceClaimTemplateName`");
      }
      for (var reference : List.of(direct, template)) {
        if (reference.isPresent()) {
          reference.invalidEach(Names.dnsSubdomain(reference.text()));
        }
      }
    }
  }

  private static void hostNetwork(FieldCursor spec, boolean isPod) {
    if (!spec.at("hostNetwork").isTrue()) {
      return;
    }
    for (var container : spec.at("containers").items()) {
      for (var port : container.at("ports").items()) {
        var host = port.at("hostPort");
        if ((isPod || host.integer() != 0)
            && host.integer() != port.at("containerPort").integer()) {
          ValueChecks.invalidNumber(host, "must match `containerPort` when `hostNetwork` is true");
        }
      }
    }
  }

  private static void dns(FieldCursor spec) {
    var config = spec.at("dnsConfig");
    var servers = config.at("nameservers");
    if (spec.at("dnsPolicy").isText("None")) {
      if (config.isAbsent()) {
        config.required("must provide `dnsConfig` when `dnsPolicy` is None");
        return;
      }
      if (servers.isEmpty()) {
        servers.required("must provide at least one DNS nameserver when `dnsPolicy` is None");
        return;
      }
    }
    if (servers.array().size() > MOST_NAMESERVERS) {
      servers.invalid("must not have more than 3 nameservers");
    }
    for (var server : servers.items()) {
      Rules.report(
          server,
          errors -> IpRules.strictLegacyIp(server.path(), server.text(), List.of(), errors));
    }
    var searches = config.at("searches");
    if (searches.array().size() > MOST_SEARCHES) {
      searches.invalid("must not have more than 32 search paths");
    }
    if (GoText.bytes(String.join(" ", searches.array().strings())) > MOST_SEARCH_TEXT) {
      searches.invalid(
          "must not have more than 2048 characters (including spaces) in the search list");
    }
    for (var search : searches.items()) {
      if (!search.text().equals(".")) {
        var text = search.text();
        var domain = text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
        search.with(Json.of(domain)).invalidEach(Names.dnsSubdomainWithUnderscore(domain));
      }
    }
    for (var option : config.at("options").items()) {
      if (option.at("name").isEmpty()) {
        option.required("must not be empty");
      }
    }
  }

  private static void hostUsers(FieldCursor spec) {
    if (spec.at("hostUsers").value() != JsonBool.FALSE) {
      return;
    }
    var old = spec.before();
    boolean was = old.at("hostUsers").value() == JsonBool.FALSE;
    if (spec.at("hostNetwork").isTrue() && !(was && old.at("hostNetwork").isTrue())) {
      spec.at("hostNetwork").forbidden("when `hostUsers` is false");
    }
    if (spec.at("hostPID").isTrue()) {
      spec.at("HostPID").forbidden("when `hostUsers` is false");
    }
    if (spec.at("hostIPC").isTrue()) {
      spec.at("HostIPC").forbidden("when `hostUsers` is false");
    }
    boolean hadDevices =
        was
            && ContainerRules.containers(old).stream()
                .anyMatch(one -> !one.at("volumeDevices").isEmpty());
    for (var container : ContainerRules.containers(spec)) {
      if (!container.at("volumeDevices").isEmpty() && !hadDevices) {
        container.at("volumeDevices").forbidden("when `hostUsers` is false");
      }
    }
  }

  private static void hostname(FieldCursor spec) {
    var override = spec.at("hostnameOverride");
    if (override.isAbsent()) {
      return;
    }
    if (spec.at("setHostnameAsFQDN").isTrue()) {
      override.forbidden("may not be specified when setHostnameAsFQDN is true");
    }
    if (spec.at("hostNetwork").isTrue()) {
      override.forbidden("may not be specified when hostNetwork is true");
    }
    if (GoText.bytes(override.text()) > LONGEST_HOSTNAME) {
      override.tooLong(LONGEST_HOSTNAME);
    }
    override.invalidEach(Names.dnsSubdomain(override.text()));
  }
}
