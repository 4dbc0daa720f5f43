package dev.muster.registry.rules.core;

import dev.muster.model.GroupKind;
import dev.muster.registry.Strategy;
import java.util.Map;

/** The strategies of the core group's kinds. */
public final class CoreRules {
  private CoreRules() {}

  public static Map<GroupKind, Strategy> strategies() {
    return Map.ofEntries(Map.entry(new GroupKind("", "ConfigMap"), ConfigMapRules.STRATEGY));
  }
}
