package dev.muster.validation.services;

import static dev.muster.validation.Default.absent;
import static dev.muster.validation.Default.each;
import static dev.muster.validation.Default.in;
import static dev.muster.validation.Default.make;
import static dev.muster.validation.Default.value;
import static dev.muster.validation.FieldChecks.dnsSubdomain;
import static dev.muster.validation.FieldChecks.labels;
import static dev.muster.validation.FieldChecks.oneOf;
import static dev.muster.validation.FieldChecks.qualifiedName;
import static dev.muster.validation.Rules.field;
import static dev.muster.validation.Rules.has;
import static dev.muster.validation.Rules.ifPresent;
import static dev.muster.validation.Rules.ifSet;
import static dev.muster.validation.Rules.is;
import static dev.muster.validation.Rules.metadataUpdate;
import static dev.muster.validation.Rules.namespacedMetadata;
import static dev.muster.validation.Rules.required;
import static dev.muster.validation.Rules.when;

import dev.muster.model.address.Ip;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.IpRules;
import dev.muster.model.validation.NameRule;
import dev.muster.model.validation.NumberRules;
import dev.muster.types.Strategy;
import dev.muster.validation.Default;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.Rule;
import dev.muster.validation.Rules;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The strategy of Services. The create and update handlers allocate cluster IPs and node ports
 * between preparation and validation.
 */
public final class ServiceRules {
  private static final String ONLY_LOAD_BALANCER = "may only be used when `type` is 'LoadBalancer'";
  private static final String SOURCE_RANGES =
      "service.beta.kubernetes.io/load-balancer-source-ranges";
  private static final String TOPOLOGY_HINTS = "service.kubernetes.io/topology-aware-hints";
  private static final String TOPOLOGY_MODE = "service.kubernetes.io/topology-mode";
  private static final long LONGEST_AFFINITY = 86400;

  private static final Default SPEC_DEFAULTS =
      Default.all(
          value("sessionAffinity", "None"),
          Default.when(
              spec -> spec.string("sessionAffinity").equals("None"),
              Default.code(spec -> spec.without("sessionAffinityConfig"))),
          Default.when(
              spec ->
                  spec.string("sessionAffinity").equals("ClientIP")
                      && spec.at("sessionAffinityConfig", "clientIP", "timeoutSeconds") == null,
              Default.code(
                  spec ->
                      spec.with(
                          "sessionAffinityConfig",
                          JsonObject.of("clientIP", JsonObject.of("timeoutSeconds", 10800))))),
          value("type", "ClusterIP"),
          each("ports", value("protocol", "TCP"), Default.code(ServiceRules::targetPort)),
          Default.when(
              ServiceRules::isReachedFromOutside, value("externalTrafficPolicy", "Cluster")),
          Default.when(
              spec ->
                  switch (spec.string("type")) {
                    case "NodePort", "LoadBalancer", "ClusterIP" -> true;
                    default -> false;
                  },
              absent("internalTrafficPolicy", "Cluster")),
          Default.when(
              spec -> spec.string("type").equals("LoadBalancer"),
              value("allocateLoadBalancerNodePorts", true)));

  private static final Default DEFAULTS =
      Default.all(
          make("spec", SPEC_DEFAULTS),
          Default.when(
              service -> service.object("spec").string("type").equals("LoadBalancer"),
              in(
                  "status",
                  in(
                      "loadBalancer",
                      each(
                          "ingress",
                          Default.when(
                              ingress -> !ingress.string("ip").isEmpty(),
                              absent("ipMode", "VIP")))))));

  private static final Rule SPEC =
      Rule.all(
          ServiceRules::portsRequired,
          ServiceRules::typed,
          ServicePorts.FORM,
          ifSet("selector", labels()),
          required("sessionAffinity", "", oneOf("ClientIP", "None")),
          ServiceRules::affinity,
          ServiceAddresses::check,
          field("externalIPs", ServiceRules::externalIps),
          required("type", "", oneOf("ClusterIP", "ExternalName", "LoadBalancer", "NodePort")),
          ServicePorts.NODE_PORTS,
          ServicePorts.UNIQUE);

  private static final Rule REST =
      field(
          "spec",
          when(
              spec -> spec.has("allocateLoadBalancerNodePorts") && !isLoadBalancer(spec),
              field("allocateLoadBalancerNodePorts", place -> place.forbidden(ONLY_LOAD_BALANCER))),
          ServiceRules::loadBalancerClass,
          ServiceRules::externalTraffic,
          ServiceRules::internalTraffic,
          ifPresent(
              "trafficDistribution", oneOf("PreferClose", "PreferSameZone", "PreferSameNode")));

  private static final Rule SERVICE =
      Rule.all(ServiceRules::topology, field("spec", SPEC), ServiceRules::sourceRanges, REST);

  public static final Strategy STRATEGY =
      ResourceRules.namespaced()
          .defaults(DEFAULTS)
          .prepareCreate(ServicePreparation::forCreate)
          .prepareUpdate(ServicePreparation::forUpdate)
          .create(namespacedMetadata(NameRule.DNS_LABEL), SERVICE)
          .update(
              metadataUpdate(),
              field("spec", ServiceAddresses::changedAddresses, ServiceAddresses::changedFamilies),
              field("spec", ServiceRules::changedClass, ServiceRules::loadBalancerClass),
              field("spec", ServiceRules::changedHealthCheck),
              SERVICE)
          .statusUpdate(metadataUpdate(), ServiceRules::loadBalancerStatus)
          .warnings(ServiceWarnings::check)
          .statusWarnings(ServiceWarnings::checkStatus)
          .createsOnUpdate()
          .answersDeleteWithObject()
          .build();

  private ServiceRules() {}

  /**
   * Validates addresses and families. The allocator calls this first, and allocates only when there
   * are no errors.
   */
  public static void validateAddresses(
      JsonObject service, @Nullable JsonObject old, List<FieldError> errors) {
    ServiceAddresses.check(FieldCursor.of(service, old, errors).at("spec"));
  }

  private static JsonObject targetPort(JsonObject port) {
    var target = port.get("targetPort");
    boolean unset = target == null || target.equals(Json.of(0)) || target.equals(Json.of(""));
    return unset ? port.with("targetPort", port.integer("port", 0)) : port;
  }

  static boolean isReachedFromOutside(JsonObject spec) {
    return switch (spec.string("type")) {
      case "LoadBalancer", "NodePort" -> true;
      case "ClusterIP" -> !spec.array("externalIPs").isEmpty();
      default -> false;
    };
  }

  static boolean needsHealthCheck(JsonObject spec) {
    return spec.string("type").equals("LoadBalancer")
        && spec.string("externalTrafficPolicy").equals("Local");
  }

  private static boolean isLoadBalancer(FieldCursor spec) {
    return spec.at("type").isText("LoadBalancer");
  }

  private static void topology(FieldCursor service) {
    var annotations = service.at("metadata", "annotations");
    var mode = annotations.entry(TOPOLOGY_MODE);
    if (mode.isPresent()
        && annotations.has(TOPOLOGY_HINTS)
        && !mode.isText(annotations.entry(TOPOLOGY_HINTS).text())) {
      mode.invalid("must match annotations[" + TOPOLOGY_HINTS + "] when both are specified");
    }
  }

  private static void portsRequired(FieldCursor spec) {
    if (spec.at("ports").isEmpty()
        && !ServiceAddresses.isHeadless(spec.object())
        && !spec.at("type").isText("ExternalName")) {
      spec.at("ports").required("");
    }
  }

  private static void typed(FieldCursor spec) {
    var type = spec.at("type").text();
    switch (type) {
      case "LoadBalancer", "NodePort" -> {
        if (ServiceAddresses.isHeadless(spec.object())) {
          spec.at("clusterIPs")
              .items()
              .getFirst()
              .invalid("may not be set to 'None' for " + type + " services");
        }
      }
      case "ExternalName" -> {
        for (var name : List.of("clusterIPs", "ipFamilies", "ipFamilyPolicy")) {
          if (!spec.at(name).isEmpty() || spec.at(name).isText("")) {
            spec.at(name).forbidden("may not be set for ExternalName services");
          }
        }
        var name = spec.at("externalName");
        var text = name.text();
        var host = text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
        if (host.isEmpty()) {
          name.required("");
        } else {
          dnsSubdomain().check(name.with(Json.of(host)));
        }
      }
      default -> {}
    }
  }

  private static void affinity(FieldCursor spec) {
    var config = spec.at("sessionAffinityConfig");
    var seconds = config.at("clientIP", "timeoutSeconds");
    if (spec.at("sessionAffinity").isText("ClientIP")) {
      for (var part : List.of(config, config.at("clientIP"), seconds)) {
        if (part.isAbsent()) {
          part.required("when session affinity type is ClientIP");
          return;
        }
      }
      if (seconds.integer() <= 0 || seconds.integer() > LONGEST_AFFINITY) {
        seconds.invalid("must be greater than 0 and less than " + LONGEST_AFFINITY);
      }
    } else if (spec.at("sessionAffinity").isText("None") && config.isPresent()) {
      config.forbidden("must not be set when session affinity is None");
    }
  }

  private static void externalIps(FieldCursor ips) {
    var known = ips.before().array().strings();
    for (var ip : ips.items()) {
      Rules.steps(
              place ->
                  Rules.report(
                      place,
                      errors -> IpRules.strictLegacyIp(place.path(), place.text(), known, errors)),
              EndpointsRules::routable)
          .check(ip);
    }
  }

  private static void sourceRanges(FieldCursor service) {
    var spec = service.at("spec");
    var annotation = service.at("metadata", "annotations").entry(SOURCE_RANGES);
    if (!spec.at("loadBalancerSourceRanges").isEmpty()) {
      var ranges =
          spec.at("LoadBalancerSourceRanges").with(spec.at("loadBalancerSourceRanges").value());
      if (!isLoadBalancer(spec)) {
        ranges.forbidden(ONLY_LOAD_BALANCER);
      }
      var known =
          spec.at("loadBalancerSourceRanges").before().array().strings().stream()
              .map(String::strip)
              .toList();
      ranges.items().forEach(range -> range(range, range.text().strip(), known));
    } else if (annotation.isPresent()) {
      if (!isLoadBalancer(spec)) {
        annotation.forbidden(ONLY_LOAD_BALANCER);
      }
      if ((!annotation.isUpdate() || annotation.isChanged()) && !annotation.text().isBlank()) {
        for (var range : annotation.text().strip().split(",", -1)) {
          range(annotation, range.strip(), List.of());
        }
      }
    }
  }

  private static void range(FieldCursor place, String range, List<String> known) {
    Rules.report(place, errors -> IpRules.strictLegacyCidr(place.path(), range, known, errors));
  }

  private static void loadBalancerClass(FieldCursor spec) {
    var name = spec.at("loadBalancerClass");
    if (isLoadBalancer(spec)) {
      qualifiedName().check(name);
    } else if (name.isPresent()) {
      name.forbidden(ONLY_LOAD_BALANCER);
    }
  }

  private static void changedClass(FieldCursor spec) {
    if (isLoadBalancer(spec) && isLoadBalancer(spec.before())) {
      spec.at("loadBalancerClass").immutable("may not change once set");
    }
  }

  private static void changedHealthCheck(FieldCursor spec) {
    if (needsHealthCheck(spec.object())
        && needsHealthCheck(spec.before().object())
        && spec.at("healthCheckNodePort").isChanged()) {
      spec.at("healthCheckNodePort").forbidden("field is immutable");
    }
  }

  private static void externalTraffic(FieldCursor spec) {
    var policy = spec.at("externalTrafficPolicy");
    if (!isReachedFromOutside(spec.object())) {
      if (!policy.isEmpty()) {
        policy.invalid("may only be set for externally-accessible services");
      }
    } else if (policy.isEmpty()) {
      policy.required("");
    } else {
      oneOf("Cluster", "Local").check(policy);
    }
    var port = spec.at("healthCheckNodePort");
    if (!needsHealthCheck(spec.object())) {
      if (port.integer() != 0) {
        port.invalid(
            "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is"
                + " 'Local'");
      }
    } else if (port.integer() == 0) {
      port.required("");
    } else {
      port.invalidEach(NumberRules.port(port.integer()));
    }
  }

  private static void internalTraffic(FieldCursor spec) {
    var policy = spec.at("internalTrafficPolicy");
    if (policy.isAbsent()) {
      if (is("type", "NodePort", "LoadBalancer", "ClusterIP").test(spec)) {
        policy.required("");
      }
    } else {
      oneOf("Cluster", "Local").check(policy);
    }
  }

  private static void loadBalancerStatus(FieldCursor service) {
    var ingresses = service.at("status", "loadBalancer", "ingress");
    if (!isLoadBalancer(service.at("spec"))) {
      if (!ingresses.isEmpty()) {
        ingresses.forbidden("may only be used when `spec.type` is 'LoadBalancer'");
      }
      return;
    }
    var known =
        ingresses.before().array().objects().stream().map(item -> item.string("ip")).toList();
    ingresses.items().forEach(ingress -> ingress(ingress, known));
  }

  private static void ingress(FieldCursor ingress, List<String> known) {
    var ip = ingress.at("ip");
    var mode = ingress.at("ipMode");
    if (!ip.isEmpty()) {
      Rules.report(ip, errors -> IpRules.strictLegacyIp(ip.path(), ip.text(), known, errors));
    }
    if (mode.isAbsent()) {
      if (!ip.isEmpty()) {
        mode.required("must be specified when `ip` is set");
      }
    } else if (ip.isEmpty()) {
      mode.forbidden("may not be specified when `ip` is not set");
    } else {
      oneOf("Proxy", "VIP").check(mode);
    }
    when(
            has("hostname"),
            field(
                "hostname",
                dnsSubdomain(),
                host -> {
                  if (Ip.parseLegacy(host.text()) != null) {
                    host.invalid("must be a DNS name, not an IP address");
                  }
                }))
        .check(ingress);
  }
}
