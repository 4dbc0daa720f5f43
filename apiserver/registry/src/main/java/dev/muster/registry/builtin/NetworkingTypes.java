package dev.muster.registry.builtin;

import dev.muster.types.ServedTypeBuilder;
import dev.muster.types.Strategy;
import dev.muster.types.TypeRules;
import dev.muster.types.table.NetworkTables;
import dev.muster.types.table.TableSpec;
import dev.muster.validation.networking.IngressClassRules;
import dev.muster.validation.networking.IngressRules;
import dev.muster.validation.networking.NetworkPolicyRules;
import dev.muster.validation.services.AddressRules;
import java.util.List;

/** The types of {@code networking.k8s.io}. */
final class NetworkingTypes implements TypeRules {
  private NetworkingTypes() {}

  static List<ServedTypeBuilder> all() {
    var rules = new NetworkingTypes();
    var v1 = new TypeTable("networking.k8s.io/v1", 17200, 15, rules);
    v1.cluster("ingressclasses", "IngressClass");
    v1.namespaced("ingresses", "Ingress", "ing").storage("/ingress").status();
    v1.cluster("ipaddresses", "IPAddress", "ip");
    v1.namespaced("networkpolicies", "NetworkPolicy", "netpol");
    v1.cluster("servicecidrs", "ServiceCIDR").status().resets("status", "metadata", "spec");
    return v1.builders();
  }

  @Override
  public Strategy strategy(String plural) {
    return switch (plural) {
      case "ingressclasses" -> IngressClassRules.STRATEGY;
      case "ingresses" -> IngressRules.STRATEGY;
      case "ipaddresses" -> AddressRules.IP_ADDRESS;
      case "networkpolicies" -> NetworkPolicyRules.STRATEGY;
      case "servicecidrs" -> AddressRules.SERVICE_CIDR;
      default -> throw new IllegalArgumentException("no rules for " + plural);
    };
  }

  @Override
  public TableSpec table(String plural) {
    return switch (plural) {
      case "ingressclasses" -> NetworkTables.ingressClass();
      case "ingresses" -> NetworkTables.ingress();
      case "ipaddresses" -> NetworkTables.address();
      case "networkpolicies" -> NetworkTables.networkPolicy();
      case "servicecidrs" -> NetworkTables.serviceCidr();
      default -> TableSpec.PLAIN;
    };
  }
}
