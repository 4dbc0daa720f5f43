package dev.muster.registry.builtin;

import dev.muster.model.GroupVersion;
import dev.muster.model.validation.NameRule;
import dev.muster.schema.Schemas;
import dev.muster.types.ApiPriority;
import dev.muster.types.ServedTypeBuilder;
import dev.muster.types.Strategy;
import dev.muster.types.TypeRules;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.Rules;
import java.util.ArrayList;
import java.util.List;

/** Collects the types of one group version. */
final class TypeTable {
  /** The strategy of types without a strategy of their own: it checks only the metadata. */
  static final Strategy NAMESPACED =
      ResourceRules.namespaced()
          .create(Rules.namespacedMetadata(NameRule.DNS_SUBDOMAIN))
          .update(Rules.metadataUpdate(), Rules.namespacedMetadata(NameRule.DNS_SUBDOMAIN))
          .build();

  static final Strategy CLUSTER =
      ResourceRules.cluster()
          .create(Rules.clusterMetadata(NameRule.DNS_SUBDOMAIN))
          .update(Rules.metadataUpdate(), Rules.clusterMetadata(NameRule.DNS_SUBDOMAIN))
          .build();

  private final GroupVersion groupVersion;
  private final ApiPriority priority;
  private final TypeRules rules;
  private final List<ServedTypeBuilder> builders = new ArrayList<>();

  /**
   * @param groupPriority upstream's group priority: discovery lists higher ones first
   * @param versionPriority upstream's version priority, or 0 when the version has no APIService
   * @param rules the rules of each type of the table
   */
  TypeTable(String groupVersion, int groupPriority, int versionPriority, TypeRules rules) {
    this.groupVersion = GroupVersion.parse(groupVersion);
    this.priority = new ApiPriority(groupPriority, versionPriority);
    this.rules = rules;
  }

  /** Adds a namespaced resource. */
  ServedTypeBuilder namespaced(String plural, String kind, String... shortNames) {
    return add(plural, kind, true, shortNames);
  }

  /** Adds a cluster-scoped resource. */
  ServedTypeBuilder cluster(String plural, String kind, String... shortNames) {
    return add(plural, kind, false, shortNames);
  }

  private ServedTypeBuilder add(
      String plural, String kind, boolean namespaced, String... shortNames) {
    var gvk = groupVersion.kind(kind);
    var shape = Schemas.of(gvk);
    if (shape == null) {
      throw new IllegalArgumentException("no schema for " + gvk);
    }
    var builder =
        new ServedTypeBuilder(gvk, plural, namespaced, shape, rules)
            .shortNames(List.of(shortNames))
            .priority(priority);
    builders.add(builder);
    return builder;
  }

  List<ServedTypeBuilder> builders() {
    return builders;
  }
}
