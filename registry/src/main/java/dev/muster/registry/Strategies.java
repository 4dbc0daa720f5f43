package dev.muster.registry;

import dev.muster.model.GroupKind;
import dev.muster.model.NameRule;
import dev.muster.registry.rules.ResourceRules;
import dev.muster.registry.rules.Rules;
import dev.muster.registry.rules.admission.AdmissionRules;
import dev.muster.registry.rules.apis.ApiRules;
import dev.muster.registry.rules.certificates.CertificateRules;
import dev.muster.registry.rules.core.CoreRules;
import dev.muster.registry.rules.devices.DeviceRules;
import dev.muster.registry.rules.fleet.FleetRules;
import dev.muster.registry.rules.flowcontrol.FlowRules;
import dev.muster.registry.rules.networking.NetworkingRules;
import dev.muster.registry.rules.rbac.RbacRules;
import dev.muster.registry.rules.storage.StorageRules;
import dev.muster.registry.rules.workloads.WorkloadRules;
import dev.muster.schema.ResourceType;
import java.util.HashMap;
import java.util.Map;

/** Finds the strategy of a resource; one without rules of its own has only its metadata checked. */
public final class Strategies {
  private static final Strategy NAMESPACED =
      ResourceRules.namespaced()
          .create(Rules.namespacedMetadata(NameRule.DNS_SUBDOMAIN))
          .update(Rules.metadataUpdate(), Rules.namespacedMetadata(NameRule.DNS_SUBDOMAIN))
          .build();

  private static final Strategy CLUSTER =
      ResourceRules.cluster()
          .create(Rules.clusterMetadata(NameRule.DNS_SUBDOMAIN))
          .update(Rules.metadataUpdate(), Rules.clusterMetadata(NameRule.DNS_SUBDOMAIN))
          .build();

  private static final GroupKind NAMESPACE = new GroupKind("", "Namespace");
  private static final Map<GroupKind, Strategy> KNOWN = known();

  private Strategies() {}

  private static Map<GroupKind, Strategy> known() {
    var all = new HashMap<GroupKind, Strategy>();
    all.putAll(CoreRules.strategies());
    all.computeIfPresent(NAMESPACE, (kind, rules) -> new NamespaceStrategy(rules));
    all.putAll(CertificateRules.strategies());
    all.putAll(NetworkingRules.strategies());
    all.putAll(StorageRules.strategies());
    all.putAll(AdmissionRules.strategies());
    all.putAll(ApiRules.strategies());
    all.putAll(FlowRules.strategies());
    all.putAll(RbacRules.strategies());
    all.putAll(WorkloadRules.strategies());
    all.putAll(DeviceRules.strategies());
    all.putAll(FleetRules.strategies());
    return Map.copyOf(all);
  }

  public static Strategy of(ResourceType type) {
    var own = KNOWN.get(type.groupKind());
    var known = own != null ? own : KNOWN.get(type.stored().groupKind());
    return known != null ? known : type.namespaced() ? NAMESPACED : CLUSTER;
  }
}
