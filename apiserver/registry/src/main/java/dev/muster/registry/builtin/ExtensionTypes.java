package dev.muster.registry.builtin;

import dev.muster.model.GroupVersionKind;
import dev.muster.types.ServedTypeBuilder;
import dev.muster.types.Strategy;
import dev.muster.types.TypeRules;
import dev.muster.types.TypeTrait;
import dev.muster.validation.apis.DefinitionRules;
import java.util.List;

/** The types of {@code apiextensions.k8s.io}. */
final class ExtensionTypes implements TypeRules {
  private ExtensionTypes() {}

  static List<ServedTypeBuilder> all() {
    var rules = new ExtensionTypes();
    var v1 = new TypeTable("apiextensions.k8s.io/v1", 16700, 15, rules);
    v1.cluster("customresourcedefinitions", "CustomResourceDefinition", "crd", "crds")
        .categories("api-extensions")
        .storage("/apiextensions.k8s.io/customresourcedefinitions")
        .hashedAs(
            new GroupVersionKind("apiextensions.k8s.io", "v1beta1", "CustomResourceDefinition"))
        .status()
        .withoutTableOf("status")
        .trait(TypeTrait.STATUS_AT_ONCE)
        .trait(TypeTrait.KEPT_AS_JSON);
    return v1.builders();
  }

  @Override
  public Strategy strategy(String plural) {
    return switch (plural) {
      case "customresourcedefinitions" -> DefinitionRules.STRATEGY;
      default -> throw new IllegalArgumentException("no rules for " + plural);
    };
  }
}
