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

/** Collects the types of one version of a group. */
final class TypeTable {
  /** Of types without rules of their own only the metadata is checked. */
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
   * @param groupPriority upstream's number for the group: higher ones are shown first
   * @param versionPriority upstream's number for the version, or 0 when it has no APIService
   * @param rules knows the rules of each type of the table
   */
  TypeTable(String groupVersion, int groupPriority, int versionPriority, TypeRules rules) {
    this.groupVersion = GroupVersion.parse(groupVersion);
    this.priority = new ApiPriority(groupPriority, versionPriority);
    this.rules = rules;
  }

  /** A resource in namespaces. */
  ServedTypeBuilder namespaced(String plural, String kind, String... shortNames) {
    return add(plural, kind, true, shortNames);
  }

  /** A resource outside namespaces. */
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
