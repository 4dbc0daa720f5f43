package dev.muster.patch.ownership.fields;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A set of fields in the form of fieldsV1: JSON in which each path element is one level deeper,
 * with an empty object or {@code .} where a path ends. Immutable. Operations share unchanged parts,
 * and return the same instance when nothing changes.
 */
public final class FieldSet {
  public static final FieldSet EMPTY = new FieldSet(JsonObject.EMPTY);

  private final JsonObject trie;

  private FieldSet(JsonObject trie) {
    this.trie = trie;
  }

  /** A set from a fieldsV1 in canonical form, as a server wrote it. */
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
   * Parses a client's fieldsV1, in any order and with unknown kinds of elements.
   *
   * @throws MalformedFieldsException when it is invalid
   */
  public static FieldSet parse(Json fieldsV1) {
    return trusted(FieldTrie.canonical(fieldsV1));
  }

  /** The fieldsV1, in the order of kube-apiserver. */
  public JsonObject toJson() {
    return trie;
  }

  public boolean isEmpty() {
    return trie.isEmpty();
  }

  /** Whether the set contains the field at that path itself. */
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

  /** The union of both sets. */
  public FieldSet plus(FieldSet other) {
    return with(FieldTrie.union(trie, other.trie));
  }

  /** The fields of this set that are not in the other; a field does not include its children. */
  public FieldSet minus(FieldSet other) {
    return with(FieldTrie.difference(trie, other.trie, false));
  }

  /** The fields of this set that are neither in the other nor below a field of the other. */
  FieldSet minusWithChildren(FieldSet other) {
    return with(FieldTrie.deepDifference(trie, other.trie));
  }

  /** The intersection of both sets. */
  public FieldSet and(FieldSet other) {
    return with(FieldTrie.intersection(trie, other.trie, false));
  }

  /**
   * This set after the values of the other set changed. Differs from {@link #minus} when a value
   * was several fields in the release that wrote this set.
   */
  public FieldSet minusValues(FieldSet changed) {
    return with(FieldTrie.difference(trie, changed.trie, true));
  }

  /**
   * The values of the other set of which this set owns a part. Differs from {@link #and} like
   * {@link #minusValues} differs from {@link #minus}.
   */
  public FieldSet andValues(FieldSet changed) {
    return with(FieldTrie.intersection(trie, changed.trie, true));
  }

  private FieldSet with(JsonObject changed) {
    return changed == trie ? this : trusted(changed);
  }

  /** The paths in the order of kube-apiserver, such as {@code .spec.replicas}. */
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
