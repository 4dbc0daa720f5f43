package dev.muster.registry.rules.devices;

import dev.muster.model.GroupKind;
import dev.muster.registry.Strategy;
import java.util.Map;

/** The strategies of devices, their classes and the claims to them. */
public final class DeviceRules {
  private static final String GROUP = "resource.k8s.io";

  private DeviceRules() {}

  public static Map<GroupKind, Strategy> strategies() {
    return Map.of(
        new GroupKind(GROUP, "DeviceClass"), DeviceClassRules.STRATEGY,
        new GroupKind(GROUP, "ResourceClaim"), ResourceClaimRules.CLAIM,
        new GroupKind(GROUP, "ResourceClaimTemplate"), ResourceClaimRules.TEMPLATE,
        new GroupKind(GROUP, "ResourceSlice"), ResourceSliceRules.STRATEGY);
  }
}
