package dev.muster.registry.rules.networking;

import dev.muster.model.GroupKind;
import dev.muster.registry.Strategy;
import java.util.Map;

/** The strategies of what lets traffic in, and of what keeps it out. */
public final class NetworkingRules {
  private static final String GROUP = "networking.k8s.io";

  private NetworkingRules() {}

  public static Map<GroupKind, Strategy> strategies() {
    return Map.of(
        new GroupKind(GROUP, "Ingress"), IngressRules.STRATEGY,
        new GroupKind(GROUP, "IngressClass"), IngressClassRules.STRATEGY,
        new GroupKind(GROUP, "NetworkPolicy"), NetworkPolicyRules.STRATEGY);
  }
}
