package dev.muster.patch.ownership.fields;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A set of fields as managedFields keep it: the JSON of a fieldsV1 itself, each element of a path
 * one level deeper, and an empty object or {@code .} where a path ends. Immutable; operations share
 * what does not change, and answer the same instance when nothing does.
 */
public final class FieldSet {
  public static final FieldSet EMPTY = new FieldSet(JsonObject.EMPTY);

  private final JsonObject trie;

  private FieldSet(JsonObject trie) {
    this.trie = trie;
  }

  /** A set out of a fieldsV1 in canonical form, such as a server wrote. */
  public static FieldSet trusted(JsonObject trie) {
    return trie.isEmpty() ? EMPTY : new FieldSet(trie);
  }

  /** The set of the given fields, each a path of field names such as {@code spec.replicas}. */
  public static FieldSet of(String... paths) {
    var set = EMPTY;
    for (var path : paths) {
      var parts = path.split("\\.");
      var node = JsonObject.EMPTY;
      for (int i = parts.length - 1; i >= 0; i--) {
        node = JsonObject.of(Elements.field(parts[i]), node);
      }
      set = set.plus(new FieldSet(node));
    }
    return set;
  }

  /**
   * Reads a fieldsV1 that somebody sent: in any order, with elements of kinds yet unknown.
   *
   * @throws MalformedFieldsException when it is none
   */
  public static FieldSet parse(Json fieldsV1) {
    return trusted(FieldTrie.canonical(fieldsV1));
  }

  /** The fieldsV1, in the order in which kube-apiserver writes it. */
  public JsonObject toJson() {
    return trie;
  }

  public boolean isEmpty() {
    return trie.isEmpty();
  }

  /** Whether the field at the end of that path of elements is in the set itself. */
  boolean has(String... elements) {
    Json node = trie;
    for (var element : elements) {
      node = ((JsonObject) node).get(element);
      if (node == null) {
        return false;
      }
    }
    return node != trie && FieldTrie.isMember((JsonObject) node);
  }

  /** What is in either set. */
  public FieldSet plus(FieldSet other) {
    return with(FieldTrie.union(trie, other.trie));
  }

  /** What is in this set and not in the other; children of a field are fields of their own. */
  public FieldSet minus(FieldSet other) {
    return with(FieldTrie.difference(trie, other.trie, false));
  }

  /** What is in this set and neither in the other nor below a field that is in the other. */
  FieldSet minusWithChildren(FieldSet other) {
    return with(FieldTrie.deepDifference(trie, other.trie));
  }

  /** What is in both sets. */
  public FieldSet and(FieldSet other) {
    return with(FieldTrie.intersection(trie, other.trie, false));
  }

  /**
   * What is left of this set after the values of the other one changed. Differs from {@link #minus}
   * when a value used to be several fields in the release that wrote this set.
   */
  public FieldSet minusValues(FieldSet changed) {
    return with(FieldTrie.difference(trie, changed.trie, true));
  }

  /** The values that this set has a part in. Differs from {@link #and} as minusValues does. */
  public FieldSet andValues(FieldSet changed) {
    return with(FieldTrie.intersection(trie, changed.trie, true));
  }

  private FieldSet with(JsonObject changed) {
    return changed == trie ? this : trusted(changed);
  }

  /** The paths in the order in which kube-apiserver lists them, such as {@code .spec.replicas}. */
  public List<String> paths() {
    var paths = new ArrayList<String>();
    collect(trie, "", paths::add);
    return paths;
  }

  private static void collect(JsonObject node, String prefix, Consumer<String> paths) {
    int first = FieldTrie.firstChild(node);
    for (int i = first; i < node.size(); i++) {
      if (FieldTrie.isMember((JsonObject) node.value(i))) {
        paths.accept(prefix + Elements.text(node.key(i)));
      }
    }
    for (int i = first; i < node.size(); i++) {
      var child = (JsonObject) node.value(i);
      if (!child.isEmpty()) {
        collect(child, prefix + Elements.text(node.key(i)), paths);
      }
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FieldSet set && set.trie.equals(trie);
  }

  @Override
  public int hashCode() {
    return trie.hashCode();
  }

  @Override
  public String toString() {
    return trie.toString();
  }
}
