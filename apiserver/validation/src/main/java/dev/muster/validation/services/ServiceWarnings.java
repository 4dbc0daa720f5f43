package dev.muster.validation.services;

import dev.muster.model.validation.IpRules;
import dev.muster.validation.FieldCursor;

/** Warnings about accepted Services. */
final class ServiceWarnings {
  private static final String HINTS = "service.kubernetes.io/topology-aware-hints";

  private ServiceWarnings() {}

  static void check(FieldCursor service) {
    if (service.at("metadata", "annotations").has(HINTS)) {
      service.warn(
          "annotation "
              + HINTS
              + " is deprecated, please use service.kubernetes.io/topology-mode instead");
    }
    var spec = service.at("spec");
    var external = spec.at("externalIPs");
    boolean named = spec.at("type").isText("ExternalName");
    boolean headless = spec.at("type").isText("ClusterIP") && spec.at("clusterIP").isText("None");
    if (!spec.at("clusterIP").isEmpty() && !spec.at("clusterIP").isText("None")) {
      addresses(spec.at("clusterIPs"));
    }
    if (headless) {
      headless(spec);
    }
    addresses(external);
    if (!external.isEmpty() && !headless && !named) {
      service.warn(
          "spec.externalIPs is deprecated and may no longer be implemented in some clusters");
    }
    address(spec.at("loadBalancerIP"));
    for (var range : spec.at("loadBalancerSourceRanges").items()) {
      IpRules.cidrWarnings(range.path(), range.text()).forEach(range::warn);
    }
    if (named && !external.isEmpty()) {
      service.warn("spec.externalIPs is ignored when spec.type is \"ExternalName\"");
    }
    if (!named && !spec.at("externalName").isEmpty()) {
      service.warn("spec.externalName is ignored when spec.type is not \"ExternalName\"");
    }
    if (spec.at("trafficDistribution").isText("PreferClose")) {
      service.warn(
          "spec.trafficDistribution: \"PreferClose\" is deprecated; use \"PreferSameZone\"");
    }
  }

  /** Warnings about the addresses in a status. */
  static void checkStatus(FieldCursor service) {
    for (var ingress : service.at("status", "loadBalancer", "ingress").items()) {
      if (!ingress.at("ip").isEmpty()) {
        IpRules.ipWarnings(ingress.path(), ingress.at("ip").text()).forEach(ingress::warn);
      }
    }
  }

  private static void headless(FieldCursor spec) {
    if (!spec.at("loadBalancerIP").isEmpty()) {
      spec.warn("spec.loadBalancerIP is ignored for headless services");
    }
    if (!spec.at("externalIPs").isEmpty()) {
      spec.warn("spec.externalIPs is ignored for headless services");
    }
    if (!spec.at("sessionAffinity").isText("None")) {
      spec.warn("spec.SessionAffinity is ignored for headless services");
    }
  }

  private static void addresses(FieldCursor list) {
    list.items().forEach(ServiceWarnings::address);
  }

  private static void address(FieldCursor ip) {
    if (!ip.isEmpty()) {
      IpRules.ipWarnings(ip.path(), ip.text()).forEach(ip::warn);
    }
  }
}
