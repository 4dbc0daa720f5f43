package dev.muster.schema;

import dev.muster.model.GroupVersion;
import dev.muster.model.GroupVersionKind;
import dev.muster.model.GroupVersionResource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The resources that a server serves. Immutable. */
public final class ResourceCatalog {
  private final List<ResourceType> types;
  private final Map<GroupVersionResource, ResourceType> byResource = new HashMap<>();
  private final Map<GroupVersionKind, ResourceType> byKind = new HashMap<>();
  private final Map<String, ResourceType> byStorage = new HashMap<>();
  private final Set<GroupVersion> groupVersions = new LinkedHashSet<>();

  private ResourceCatalog(List<ResourceType> types) {
    this.types = List.copyOf(types);
    for (var type : types) {
      var name = type.groupVersion().resource(type.plural());
      if (byResource.put(name, type) != null) {
        throw new IllegalArgumentException("served twice: " + name);
      }
      byKind.put(type.kind(), type);
      groupVersions.add(type.groupVersion());
      if (type.isStored()) {
        // Of several versions of a resource, the keys belong to the one that is stored.
        byStorage.merge(type.storage(), type, (a, b) -> a.kind().equals(a.stored()) ? a : b);
      }
    }
  }

  /** The resources of Kubernetes 1.36. */
  public static ResourceCatalog builtIn() {
    return new ResourceCatalog(ResourceTable.load("resources.txt"));
  }

  /** Everything that this build can serve: the resources of Kubernetes and Muster's own. */
  public static ResourceCatalog all() {
    return builtIn().with(ResourceTable.load("own-resources.txt"));
  }

  /** The resources of this catalog that pass. */
  public ResourceCatalog only(Predicate<ResourceType> served) {
    return new ResourceCatalog(types.stream().filter(served).toList());
  }

  /** This catalog and some more resources. */
  public ResourceCatalog with(List<ResourceType> more) {
    var together = new ArrayList<>(types);
    together.addAll(more);
    return new ResourceCatalog(together);
  }

  /** All resources, the versions of a group together, in the order of discovery. */
  public List<ResourceType> types() {
    return types;
  }

  public Set<GroupVersion> groupVersions() {
    return groupVersions;
  }

  /** The resources of one version of a group. */
  public List<ResourceType> in(GroupVersion groupVersion) {
    return types.stream().filter(type -> type.groupVersion().equals(groupVersion)).toList();
  }

  public @Nullable ResourceType find(GroupVersionResource resource) {
    return byResource.get(resource);
  }

  public @Nullable ResourceType find(String group, String version, String plural) {
    return byResource.get(new GroupVersionResource(group, version, plural));
  }

  public @Nullable ResourceType ofKind(GroupVersionKind kind) {
    return byKind.get(kind);
  }

  public boolean hasKind(GroupVersionKind kind) {
    return byKind.containsKey(kind);
  }

  /**
   * The resource whose keys begin with that prefix, such as {@code /services/specs}, in the version
   * in which it is stored.
   */
  public @Nullable ResourceType ofStorage(String prefix) {
    return byStorage.get(prefix);
  }

  /** The beginnings of the keys of all stored resources. */
  public Set<String> storagePrefixes() {
    return byStorage.keySet();
  }
}
