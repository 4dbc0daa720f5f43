package dev.muster.registry.rules.apis;

import dev.muster.model.GroupKind;
import dev.muster.registry.Strategy;
import java.util.Map;

/** The strategies of what adds APIs to a server. */
public final class ApiRules {
  private ApiRules() {}

  public static Map<GroupKind, Strategy> strategies() {
    return Map.of(
        new GroupKind("apiregistration.k8s.io", "APIService"),
        ApiServiceRules.STRATEGY,
        new GroupKind("apiextensions.k8s.io", "CustomResourceDefinition"),
        DefinitionRules.STRATEGY);
  }
}
