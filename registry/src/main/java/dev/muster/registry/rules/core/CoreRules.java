package dev.muster.registry.rules.core;

import dev.muster.model.GroupKind;
import dev.muster.registry.Strategy;
import java.util.Map;

/** The strategies of the core group's kinds, and of what belongs to them in other groups. */
public final class CoreRules {
  private CoreRules() {}

  public static Map<GroupKind, Strategy> strategies() {
    return Map.ofEntries(
        Map.entry(new GroupKind("", "ConfigMap"), ConfigMapRules.STRATEGY),
        Map.entry(new GroupKind("", "Endpoints"), EndpointsRules.STRATEGY),
        Map.entry(new GroupKind("", "Event"), EventRules.CORE),
        Map.entry(new GroupKind("", "LimitRange"), LimitRangeRules.STRATEGY),
        Map.entry(new GroupKind("", "Namespace"), NamespaceRules.STRATEGY),
        Map.entry(new GroupKind("", "Node"), NodeRules.STRATEGY),
        Map.entry(new GroupKind("", "PersistentVolume"), VolumeRules.STRATEGY),
        Map.entry(new GroupKind("", "PersistentVolumeClaim"), ClaimRules.STRATEGY),
        Map.entry(new GroupKind("", "ResourceQuota"), QuotaRules.STRATEGY),
        Map.entry(new GroupKind("", "Secret"), SecretRules.STRATEGY),
        Map.entry(new GroupKind("", "Service"), ServiceRules.STRATEGY),
        Map.entry(new GroupKind("", "ServiceAccount"), ServiceAccountRules.STRATEGY),
        Map.entry(new GroupKind("coordination.k8s.io", "Lease"), LeaseRules.STRATEGY),
        Map.entry(new GroupKind("discovery.k8s.io", "EndpointSlice"), EndpointSliceRules.STRATEGY),
        Map.entry(new GroupKind("events.k8s.io", "Event"), EventRules.EVENTS),
        Map.entry(new GroupKind("networking.k8s.io", "IPAddress"), AddressRules.IP_ADDRESS),
        Map.entry(new GroupKind("networking.k8s.io", "ServiceCIDR"), AddressRules.SERVICE_CIDR));
  }
}
