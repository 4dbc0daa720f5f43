package dev.muster.change;

import dev.muster.model.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * Which fields a request can own at all: those that the resource resets on such a request belong to
 * nobody by it.
 */
public sealed interface FieldFilter {
  /** Lets all fields pass. */
  FieldFilter NONE = without(FieldSet.EMPTY);

  /** The fields out of the set that pass. */
  FieldSet apply(FieldSet fields);

  /** Lets pass what is neither in the set nor below a field in it. */
  static FieldFilter without(FieldSet fields) {
    return new Without(fields);
  }

  /**
   * Lets pass what lies on, above or below one of the paths; each is a path of field names in which
   * {@code *} stands for any element, such as {@code spec.containers.*.resources}.
   */
  static FieldFilter only(String... paths) {
    var split = new ArrayList<List<String>>();
    for (var path : paths) {
      split.add(List.of(path.split("\\.")));
    }
    return new Only(split);
  }

  /** Leaves out a set and everything below it. */
  record Without(FieldSet fields) implements FieldFilter {
    @Override
    public FieldSet apply(FieldSet set) {
      return set.minusWithChildren(fields);
    }
  }

  /** Keeps certain paths. */
  record Only(List<List<String>> paths) implements FieldFilter {
    public Only {
      paths = List.copyOf(paths);
    }

    @Override
    public FieldSet apply(FieldSet set) {
      return FieldSet.trusted(keep(set.toJson(), paths));
    }

    private static JsonObject keep(JsonObject node, List<List<String>> paths) {
      var kept = new NodeBuilder();
      for (int i = FieldTrie.firstChild(node); i < node.size(); i++) {
        var child = (JsonObject) node.value(i);
        var rest = below(paths, node.key(i));
        if (rest.stream().anyMatch(List::isEmpty)) {
          kept.add(node.key(i), child);
        } else if (!rest.isEmpty()) {
          kept.add(node.key(i), FieldTrie.node(keep(child, rest), FieldTrie.isMember(child)));
        }
      }
      return kept.level();
    }

    private static List<List<String>> below(List<List<String>> paths, String element) {
      return paths.stream()
          .filter(path -> path.getFirst().equals("*") || element.equals("f:" + path.getFirst()))
          .map(path -> path.subList(1, path.size()))
          .toList();
    }
  }
}
