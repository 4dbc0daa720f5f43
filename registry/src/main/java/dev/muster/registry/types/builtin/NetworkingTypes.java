package dev.muster.registry.types.builtin;

import dev.muster.registry.rules.core.AddressRules;
import dev.muster.registry.rules.networking.IngressClassRules;
import dev.muster.registry.rules.networking.IngressRules;
import dev.muster.registry.rules.networking.NetworkPolicyRules;
import dev.muster.registry.table.NetworkTables;
import dev.muster.registry.types.ServedTypeBuilder;
import java.util.List;

/** The types of {@code networking.k8s.io}. */
final class NetworkingTypes {
  private NetworkingTypes() {}

  static List<ServedTypeBuilder> all() {
    var v1 = new TypeTable("networking.k8s.io/v1", 17200, 15);
    v1.cluster("ingressclasses", "IngressClass", IngressClassRules.STRATEGY)
        .table(NetworkTables.ingressClass());
    v1.namespaced("ingresses", "Ingress", IngressRules.STRATEGY, "ing")
        .storage("/ingress")
        .status()
        .table(NetworkTables.ingress());
    v1.cluster("ipaddresses", "IPAddress", AddressRules.IP_ADDRESS, "ip")
        .table(NetworkTables.address());
    v1.namespaced("networkpolicies", "NetworkPolicy", NetworkPolicyRules.STRATEGY, "netpol")
        .table(NetworkTables.networkPolicy());
    v1.cluster("servicecidrs", "ServiceCIDR", AddressRules.SERVICE_CIDR)
        .status()
        .table(NetworkTables.serviceCidr())
        .resets("status", "metadata", "spec");
    return v1.builders();
  }
}
