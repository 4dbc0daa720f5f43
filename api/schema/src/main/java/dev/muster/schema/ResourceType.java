package dev.muster.schema;

import dev.muster.model.GroupKind;
import dev.muster.model.GroupResource;
import dev.muster.model.GroupVersion;
import dev.muster.model.GroupVersionKind;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A built-in resource in one of its versions, as discovery and generic code use it.
 *
 * @param storage the first part of its keys in the store, such as {@code /services/specs}
 * @param stored the version and kind in which its objects are stored
 * @param listKindName the kind of its lists, such as {@code PodList}
 * @param verbs empty for resources that have only subresources
 */
public record ResourceType(
    GroupVersionKind kind,
    String plural,
    String singular,
    boolean namespaced,
    List<String> shortNames,
    List<String> categories,
    Set<String> verbs,
    List<Subresource> subresources,
    String storage,
    GroupVersionKind stored,
    String listKindName,
    StructShape shape) {

  /**
   * A subresource such as {@code status} or {@code scale}.
   *
   * @param kind the kind of its body, possibly of another group
   */
  public record Subresource(String name, GroupVersionKind kind, Set<String> verbs) {}

  public ResourceType {
    shortNames = List.copyOf(shortNames);
    categories = List.copyOf(categories);
    verbs = Set.copyOf(verbs);
    subresources = List.copyOf(subresources);
  }

  public GroupVersion groupVersion() {
    return kind.groupVersion();
  }

  public GroupResource groupResource() {
    return new GroupResource(kind.group(), plural);
  }

  public GroupKind groupKind() {
    return kind.groupKind();
  }

  /** The kind of its lists. */
  public GroupVersionKind listKind() {
    return kind.groupVersion().kind(listKindName);
  }

  /** Whether its objects are stored; reviews, for example, are not. */
  public boolean isStored() {
    return verbs.contains("watch");
  }

  public boolean has(String subresource) {
    return subresource(subresource) != null;
  }

  public @Nullable Subresource subresource(String name) {
    for (var subresource : subresources) {
      if (subresource.name().equals(name)) {
        return subresource;
      }
    }
    return null;
  }
}
