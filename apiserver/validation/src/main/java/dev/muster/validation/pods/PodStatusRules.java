package dev.muster.validation.pods;

import dev.muster.model.address.Ip;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.IpRules;
import dev.muster.model.validation.Names;
import dev.muster.model.validation.NumberRules;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.Rules;
import dev.muster.validation.ValueChecks;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Validates the status of a pod against impossible values and transitions. */
final class PodStatusRules {
  private static final List<String> LISTS =
      List.of("containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses");
  private static final int LONGEST_MESSAGE = 1024;
  private static final List<String> HEALTH = List.of("Healthy", "Unhealthy", "Unknown");
  private static final Set<String> SYSTEM_CONDITIONS =
      Set.of("PodScheduled", "Ready", "Initialized");

  private PodStatusRules() {}

  static void check(FieldCursor pod) {
    var status = pod.at("status");
    PodUpdates.annotations(pod);
    status.at("conditions").items().forEach(PodStatusRules::condition);
    nominated(pod);
    if (status.at("observedGeneration").integer() < 0) {
      status.at("observedGeneration").invalid("must be a non-negative integer");
    }
    status.at("qosClass").immutable();
    restarts(status.at("containerStatuses"), pod.at("spec"), "containers");
    restarts(status.at("initContainerStatuses"), pod.at("spec"), "initContainers");
    stayTerminated(status.at("ephemeralContainerStatuses"), (name, code) -> false);
    claims(status.at("resourceClaimStatuses"), pod.at("spec", "resourceClaims"));
    extended(status.at("extendedResourceClaimStatus"), pod.at("spec"));
    addresses(status.at("podIPs"));
    hostAddresses(status);
    LISTS.forEach(list -> users(status.at(list), pod.at("spec", "os", "name").text()));
    devices(status.at("containerStatuses"), pod.at("spec", "containers"));
    devices(status.at("initContainerStatuses"), pod.at("spec", "initContainers"));
    for (var container : status.at("ephemeralContainerStatuses").items()) {
      if (!container.at("allocatedResourcesStatus").isEmpty()) {
        container
            .at("allocatedResourcesStatus")
            .forbidden("must not be specified in container status");
      }
    }
  }

  static void warnings(FieldCursor pod) {
    for (var list : List.of("podIPs", "hostIPs")) {
      for (var address : pod.at("status", list).items()) {
        var ip = address.at("ip");
        IpRules.ipWarnings(ip.path(), ip.text()).forEach(ip::warn);
      }
    }
  }

  private static void condition(FieldCursor condition) {
    if (condition.at("observedGeneration").integer() < 0) {
      condition.at("observedGeneration").invalid("must be a non-negative integer");
    }
    var type = condition.at("type").text();
    if (!SYSTEM_CONDITIONS.contains(type)) {
      condition.at("Type").with(Json.of(type)).invalidEach(Names.qualifiedName(type));
    }
  }

  private static void nominated(FieldCursor pod) {
    var node = pod.at("status", "nominatedNodeName");
    if (!node.isChanged() || node.isEmpty()) {
      return;
    }
    node.invalidEach(Names.dnsSubdomain(node.text()));
    if (!pod.at("spec", "nodeName").before().isEmpty()) {
      node.forbidden("may not be set on pods that are already bound to a node");
    }
  }

  /** Whether a container with that exit code may restart. */
  private interface Restarts {
    boolean of(String name, long exitCode);
  }

  private static void restarts(FieldCursor statuses, FieldCursor spec, String list) {
    if (DisabledFields.anyContainer(
        spec.object().without("ephemeralContainers"), PodStatusRules::restartsAll)) {
      return;
    }
    stayTerminated(
        statuses,
        (name, code) -> {
          for (var container : spec.at(list).array().objects()) {
            if (container.string("name").equals(name)) {
              return restarts(container, spec.at("restartPolicy").text(), code);
            }
          }
          return false;
        });
  }

  private static boolean restartsAll(JsonObject container) {
    return container.array("restartPolicyRules").objects().stream()
        .anyMatch(rule -> rule.string("action").equals("RestartAllContainers"));
  }

  private static boolean restarts(JsonObject container, String podPolicy, long code) {
    var own = container.string("restartPolicy");
    if (!own.isEmpty()) {
      for (var rule : container.array("restartPolicyRules").objects()) {
        if (rule.get("exitCodes") instanceof JsonObject codes) {
          boolean in = codes.array("values").asList().contains(Json.of(code));
          if (in == codes.string("operator").equals("In")) {
            return true;
          }
        }
      }
    }
    return switch (own.isEmpty() ? podPolicy : own) {
      case "OnFailure" -> code != 0;
      case "Never" -> false;
      default -> true;
    };
  }

  private static void stayTerminated(FieldCursor statuses, Restarts restarts) {
    var before = statuses.before().array();
    for (int i = 0; i < before.size(); i++) {
      var old = before.object(i);
      if (!(old.at("state", "terminated") instanceof JsonObject ended)) {
        continue;
      }
      for (var now : statuses.array().objects()) {
        if (now.string("name").equals(old.string("name"))
            && !now.object("state").has("terminated")) {
          if (!restarts.of(old.string("name"), ended.integer("exitCode", 0))) {
            statuses.report(
                FieldError.forbidden(
                    statuses.path().index(i).child("state"),
                    "may not be transitioned to non-terminated state"));
          }
          break;
        }
      }
    }
  }

  private static void claims(FieldCursor statuses, FieldCursor claims) {
    var names = new HashSet<String>();
    for (var status : statuses.items()) {
      var name = status.at("name");
      boolean known =
          claims.array().objects().stream()
              .anyMatch(claim -> claim.string("name").equals(name.text()));
      if (!known) {
        name.invalid(
            Json.of(name.text()), "must match the name of an entry in `spec.resourceClaims`");
      }
      if (!names.add(name.text())) {
        name.duplicate();
      }
      var claim = status.at("resourceClaimName");
      if (claim.isPresent()) {
        claim.invalidEach(Names.dnsSubdomain(claim.text()));
      }
    }
  }

  private static void extended(FieldCursor status, FieldCursor spec) {
    if (status.isAbsent()) {
      return;
    }
    var mappings = status.at("requestMappings");
    if (mappings.isEmpty()) {
      mappings.required("at least one request mapping is required");
    }
    var seen = new HashSet<JsonObject>();
    for (var mapping : mappings.items()) {
      mapping(mapping, spec);
      var request = mapping.at("requestName").text();
      status.at("requestName").with(Json.of(request)).invalidEach(Names.dnsLabel(request));
      if (!seen.add(mapping.object())) {
        for (var field : List.of("containerName", "resourceName", "requestName")) {
          mapping.at(field).duplicate();
        }
      }
    }
    ValueChecks.required(status.at("resourceClaimName"), Names::dnsSubdomain);
  }

  private static void mapping(FieldCursor mapping, FieldCursor spec) {
    var name = mapping.at("containerName");
    var resource = mapping.at("resourceName");
    for (var list : List.of("containers", "initContainers")) {
      for (var container : spec.at(list).array().objects()) {
        if (container.string("name").equals(name.text())) {
          if (!container.object("resources", "requests").has(resource.text())) {
            resource.invalid(
                "must match the extended resource name of an entry in"
                    + " spec.initContainers.resources.requests or"
                    + " spec.containers.resources.requests");
          }
          return;
        }
      }
    }
    name.invalid(
        "must match the name of an entry in spec.initContainers.name or" + " spec.containers.name");
  }

  private static void addresses(FieldCursor list) {
    var kept = new HashSet<String>();
    list.before().array().objects().forEach(old -> kept.add(old.string("ip")));
    boolean readable = true;
    boolean four = false;
    boolean six = false;
    for (var item : list.items()) {
      var text = item.at("ip").text();
      Rules.report(item, errors -> IpRules.strictLegacyIp(item.path(), text, kept, errors));
      var ip = Ip.parseLegacy(text);
      readable &= ip != null;
      four |= ip != null && !ip.isSix();
      six |= ip != null && ip.isSix();
    }
    int count = list.array().size();
    if (count > 1) {
      if (!readable) {
        list.report(
            FieldError.internal(
                list.path(), "failed to check for dual stack with error:" + unreadable(list)));
      }
      if (!readable || !four || !six || count > 2) {
        list.invalid("may specify no more than one IP for each IP family");
      }
    }
  }

  private static String unreadable(FieldCursor list) {
    var items = list.array().objects();
    for (int i = 0; i < items.size(); i++) {
      if (Ip.parseLegacy(items.get(i).string("ip")) == null) {
        return "invalid IP[" + i + "]: " + items.get(i).string("ip");
      }
    }
    return "";
  }

  private static void hostAddresses(FieldCursor status) {
    var list = status.at("hostIPs");
    if (list.isEmpty()) {
      return;
    }
    var first = list.items().getFirst().at("ip");
    if (!first.text().equals(status.at("hostIP").text())) {
      first.invalid("must be equal to `hostIP`");
    }
    addresses(list);
  }

  private static void users(FieldCursor statuses, String system) {
    for (var status : statuses.items()) {
      var user = status.at("user", "linux");
      if (user.isAbsent()) {
        continue;
      }
      switch (system) {
        case "windows" -> user.forbidden("cannot be set for a windows pod");
        case "", "linux" -> {
          id(user.at("uid"));
          id(user.at("gid"));
          user.at("supplementalGroups").items().forEach(PodStatusRules::id);
        }
        default -> {
          // Users of other operating systems are not validated.
        }
      }
    }
  }

  private static void id(FieldCursor id) {
    if (id.isPresent()) {
      id.invalidEach(NumberRules.range(id.integer(), 0, Integer.MAX_VALUE));
    }
  }

  private static void devices(FieldCursor statuses, FieldCursor containers) {
    for (var status : statuses.items()) {
      var name = status.at("name").text();
      for (var resource : status.at("allocatedResourcesStatus").items()) {
        containers.array().objects().stream()
            .filter(container -> container.string("name").equals(name))
            .findFirst()
            .ifPresent(container -> requested(resource.at("name"), container));
        var ids = new HashSet<String>();
        for (var device : resource.at("resources").items()) {
          if (!HEALTH.contains(device.at("health").text())) {
            device.at("health").notSupported(HEALTH);
          }
          message(device.at("message"));
          if (!ids.add(device.at("resourceID").text())) {
            device.at("resourceID").duplicate();
          }
        }
      }
    }
  }

  private static void message(FieldCursor message) {
    if (message.isPresent() && message.isEmpty()) {
      message.required("must be non-empty if specified");
    } else if (GoText.bytes(message.text()) > LONGEST_MESSAGE) {
      message.tooLong(LONGEST_MESSAGE);
    }
  }

  private static void requested(FieldCursor name, JsonObject container) {
    var resources = container.object("resources");
    if (!name.text().startsWith("claim:")) {
      if (!resources.object("requests").has(name.text())) {
        name.invalidTyped("must match one of the container's resource requests");
      }
      return;
    }
    for (var claim : resources.array("claims").objects()) {
      var request = claim.string("request");
      var full = "claim:" + claim.string("name") + (request.isEmpty() ? "" : "/" + request);
      if (full.equals(name.text())) {
        return;
      }
    }
    name.invalid(
        "must match one of the container's resource claims in a format"
            + " 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty");
  }
}
