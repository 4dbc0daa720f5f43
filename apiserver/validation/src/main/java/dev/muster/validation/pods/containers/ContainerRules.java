package dev.muster.validation.pods.containers;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.Names;
import dev.muster.model.validation.NumberRules;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ValueChecks;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Validates the containers, init containers and ephemeral containers of a pod. */
public final class ContainerRules {
  private static final String ONLY_SIDECARS =
      "may not be set for init containers without restartPolicy=Always";
  private static final List<String> NOT_EPHEMERAL =
      List.of(
          "ports",
          "resources",
          "resizePolicy",
          "restartPolicy",
          "restartPolicyRules",
          "livenessProbe",
          "readinessProbe",
          "startupProbe",
          "lifecycle");

  private ContainerRules() {}

  /** All containers, in upstream's order. */
  public static List<FieldCursor> containers(FieldCursor spec) {
    var all = new ArrayList<FieldCursor>();
    for (var list : List.of("initContainers", "containers", "ephemeralContainers")) {
      all.addAll(spec.at(list).items());
    }
    return all;
  }

  public static void check(FieldCursor spec, Map<String, JsonObject> volumes) {
    var containers = spec.at("containers");
    if (containers.isEmpty()) {
      containers.required("");
    } else {
      var names = new HashSet<String>();
      for (var container : containers.items()) {
        common(container, spec, volumes);
        if (!names.add(container.at("name").text())) {
          container.at("name").duplicate();
        }
        Probes.check(container, spec);
        restarts(container);
      }
      hostPorts(containers.items(), containers);
    }
    initial(spec, volumes);
    ephemeral(spec, volumes);
  }

  /** Whether a resize restarts init containers that are not sidecars. */
  private static boolean restartsOnResize(FieldCursor spec) {
    return spec.at("initContainers").array().objects().stream()
        .filter(container -> !container.string("restartPolicy").equals("Always"))
        .flatMap(container -> container.array("resizePolicy").objects().stream())
        .anyMatch(policy -> policy.string("restartPolicy").equals("RestartContainer"));
  }

  private static void initial(FieldCursor spec, Map<String, JsonObject> volumes) {
    boolean restarted = restartsOnResize(spec.before());
    var names = names(spec, "containers");
    for (var container : spec.at("initContainers").items()) {
      common(container, spec, volumes);
      restarts(container);
      var name = container.at("name");
      if (names.contains(name.text())) {
        name.duplicate();
      } else if (!name.isEmpty()) {
        names.add(name.text());
      }
      hostPorts(List.of(container), spec.at("initContainers"));
      if (container.at("restartPolicy").isText("Always")) {
        Probes.check(container, spec);
      } else {
        for (var field : List.of("lifecycle", "livenessProbe", "readinessProbe", "startupProbe")) {
          if (container.has(field)) {
            container.at(field).forbidden(ONLY_SIDECARS);
          }
        }
        for (var policy : container.at("resizePolicy").items()) {
          if (policy.at("restartPolicy").isText("RestartContainer") && !restarted) {
            policy
                .at("restartPolicy")
                .invalid("must not be set to 'RestartContainer' for non-sidecar initContainers");
          }
        }
      }
    }
  }

  private static void ephemeral(FieldCursor spec, Map<String, JsonObject> volumes) {
    var others = names(spec, "containers");
    others.addAll(names(spec, "initContainers"));
    var all = new HashSet<>(others);
    for (var container : spec.at("ephemeralContainers").items()) {
      common(container, spec, volumes);
      trimmedImage(container);
      if (!all.add(container.at("name").text())) {
        container.at("name").with(Json.of(container.at("name").text())).duplicate();
      }
      var target = container.at("targetContainerName");
      if (!target.isEmpty() && !others.contains(target.text())) {
        ValueChecks.notFound(target);
      }
      for (var field : NOT_EPHEMERAL) {
        boolean set =
            field.equals("resources") ? !container.at(field).isEmpty() : container.has(field);
        if (set) {
          container.at(field).forbidden("cannot be set for an Ephemeral Container");
        }
      }
      for (var mount : container.at("volumeMounts").items()) {
        for (var field : List.of("subPath", "subPathExpr")) {
          if (!mount.at(field).isEmpty()) {
            mount.at(field).forbidden("cannot be set for an Ephemeral Container");
          }
        }
      }
    }
  }

  private static Set<String> names(FieldCursor spec, String list) {
    var names = new HashSet<String>();
    spec.at(list).array().objects().forEach(container -> names.add(container.string("name")));
    return names;
  }

  private static void common(
      FieldCursor container, FieldCursor spec, Map<String, JsonObject> volumes) {
    ValueChecks.required(container.at("name"), Names::dnsLabel);
    if (container.at("image").isEmpty()) {
      container.at("image").required("");
    }
    ValueChecks.choice(container.at("terminationMessagePolicy"), "File", "FallbackToLogsOnError");
    ports(container.at("ports"));
    Environment.check(container);
    Mounts.check(container, volumes);
    ValueChecks.choice(container.at("imagePullPolicy"), "Always", "IfNotPresent", "Never");
    ResourceRequirements.ofContainer(container.at("resources"), spec);
    resizes(container.at("resizePolicy"), spec);
    Security.ofContainer(container.at("securityContext"), spec);
  }

  /**
   * Refuses whitespace around the image in pods. Templates may contain it, because older servers
   * accepted it.
   */
  public static void trimmedImage(FieldCursor container) {
    var image = container.at("image");
    if (!image.text().strip().equals(image.text())) {
      image.invalid("must not have leading or trailing whitespace");
    }
  }

  private static void ports(FieldCursor ports) {
    var names = new HashSet<String>();
    for (var port : ports.items()) {
      var name = port.at("name");
      if (!name.isEmpty()) {
        var problems = Names.portName(name.text());
        name.invalidEach(problems);
        if (problems.isEmpty() && !names.add(name.text())) {
          name.duplicate();
        }
      }
      var number = port.at("containerPort");
      if (number.integer() == 0) {
        number.required("");
      } else {
        number.invalidEach(NumberRules.port(number.integer()));
      }
      var host = port.at("hostPort");
      if (host.integer() != 0) {
        host.invalidEach(NumberRules.port(host.integer()));
      }
      ValueChecks.choice(port.at("protocol"), "SCTP", "TCP", "UDP");
    }
  }

  private static void hostPorts(List<FieldCursor> containers, FieldCursor list) {
    var used = new HashSet<String>();
    for (int i = 0; i < containers.size(); i++) {
      var ports = containers.get(i).at("ports").items();
      for (int j = 0; j < ports.size(); j++) {
        var port = ports.get(j);
        long number = port.at("hostPort").integer();
        var key = port.at("protocol").text() + "/" + port.at("hostIP").text() + "/" + number;
        if (number != 0 && !used.add(key)) {
          list.report(
              FieldError.duplicate(
                  list.path().index(i).child("ports").index(j).child("hostPort"), Json.of(key)));
        }
      }
    }
  }

  private static void resizes(FieldCursor policies, FieldCursor spec) {
    var seen = new HashSet<String>();
    for (var policy : policies.items()) {
      var resource = policy.at("resourceName");
      var restart = policy.at("restartPolicy");
      if (!seen.add(resource.text())) {
        policy.with(Json.of(resource.text())).duplicate();
      }
      ValueChecks.choice(policies.with(Json.of(resource.text())), "cpu", "memory");
      ValueChecks.choice(policies.with(Json.of(restart.text())), "NotRequired", "RestartContainer");
      if (spec.at("restartPolicy").isText("Never") && !restart.isText("NotRequired")) {
        policies.invalid(
            Json.of(restart.text()), "must be 'NotRequired' when pod `restartPolicy` is 'Never'");
      }
    }
  }

  private static void restarts(FieldCursor container) {
    var policy = container.at("restartPolicy");
    var rules = container.at("restartPolicyRules");
    if (policy.isAbsent()) {
      if (rules.isEmpty()) {
        return;
      }
      policy.required("must specify restartPolicy when restart rules are used");
      if (container.path().text().contains("initContainers")) {
        return;
      }
    } else {
      ValueChecks.optionalChoice(policy, "Always", "Never", "OnFailure");
    }
    if (rules.array().size() > 20) {
      rules.tooMany(20);
    }
    for (var rule : rules.items()) {
      var actions = List.of("Restart", "RestartAllContainers");
      if (!actions.contains(rule.at("action").text())) {
        rule.at("action").notSupported(actions);
      }
      var codes = rule.at("exitCodes");
      if (codes.isAbsent()) {
        codes.required("must be specified");
        continue;
      }
      if (!List.of("In", "NotIn").contains(codes.at("operator").text())) {
        codes.at("operator").notSupported(List.of("In", "NotIn"));
      }
      if (codes.at("values").array().size() > 255) {
        codes.at("values").tooMany(255);
      }
    }
  }
}
