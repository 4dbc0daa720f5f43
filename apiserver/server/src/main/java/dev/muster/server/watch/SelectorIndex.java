package dev.muster.server.watch;

import dev.muster.model.ObjectName;
import dev.muster.registry.read.Selection;
import dev.muster.registry.read.SelectionKey;
import dev.muster.replica.object.StoredObject;
import dev.muster.types.select.SelectableFields;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the selectors of a collection's watches that may match an object. Only one event loop uses
 * it. Each selector is indexed under one of its keys, the one that it shares with the fewest
 * others. A selector without a key is a candidate for every object.
 */
final class SelectorIndex {
  /** The event loop itself reads fields from objects of up to this number of bytes of JSON. */
  private static final int SMALL = 16 * 1024;

  private final Map<Selection, SelectorGroup> groups = new HashMap<>();
  private final Map<ObjectName, List<SelectorGroup>> byObject = new HashMap<>();
  private final Map<String, List<SelectorGroup>> byName = new HashMap<>();
  private final Map<String, List<SelectorGroup>> byNamespace = new HashMap<>();
  private final Map<String, Map<String, List<SelectorGroup>>> byLabel = new HashMap<>();
  private final List<FieldValues> byField = new ArrayList<>();
  private final List<SelectorGroup> others = new ArrayList<>();

  /** The selectors that ask for values of one field. */
  private record FieldValues(
      SelectableFields fields, String field, Map<String, List<SelectorGroup>> byValue) {}

  /** The group of that selection; creates it if it does not exist. */
  SelectorGroup group(Selection selection) {
    var known = groups.get(selection);
    if (known != null) {
      return known;
    }
    var group = new SelectorGroup(selection);
    groups.put(selection, group);
    var key = best(selection.keys());
    if (key == null) {
      others.add(group);
    } else {
      place(group, key);
    }
    return group;
  }

  /** Removes a group without watches. */
  void remove(SelectorGroup group) {
    groups.remove(group.selection());
    others.remove(group);
    // The group is indexed under one of its keys; the index does not store which one.
    group.selection().keys().forEach(key -> displace(group, key));
  }

  Iterable<SelectorGroup> groups() {
    return groups.values();
  }

  int size() {
    return groups.size();
  }

  /**
   * Adds the groups that may match the object before or after an event, each once.
   *
   * @param event the event's number
   */
  void addCandidates(
      @Nullable StoredObject object,
      @Nullable StoredObject previous,
      long event,
      List<SelectorGroup> candidates) {
    var either = object != null ? object : previous;
    if (either == null) {
      return;
    }
    // A change never changes the name.
    add(byObject.isEmpty() ? null : byObject.get(either.name()), event, candidates);
    add(byName.get(either.simpleName()), event, candidates);
    add(byNamespace.get(either.namespace()), event, candidates);
    if (object != null) {
      addByContent(object, event, candidates);
    }
    if (previous != null) {
      addByContent(previous, event, candidates);
    }
    add(others, event, candidates);
  }

  private void addByContent(StoredObject object, long event, List<SelectorGroup> candidates) {
    for (int i = 0; i < byField.size(); i++) {
      var values = byField.get(i);
      add(values.byValue().get(values.fields().value(object, values.field())), event, candidates);
    }
    if (!byLabel.isEmpty()) {
      for (int i = 0; i < object.labelCount(); i++) {
        var values = byLabel.get(object.labelKey(i));
        if (values != null) {
          add(values.get(object.labelValue(i)), event, candidates);
        }
      }
    }
  }

  private static void add(
      @Nullable List<SelectorGroup> found, long event, List<SelectorGroup> candidates) {
    if (found != null) {
      for (int i = 0; i < found.size(); i++) {
        var group = found.get(i);
        if (group.isNewCandidate(event)) {
          candidates.add(group);
        }
      }
    }
  }

  /**
   * A task that reads the indexed fields of a large object, for another thread. Null when the event
   * loop can read them itself.
   */
  @Nullable Runnable preparation(StoredObject object) {
    if (object.json().length <= SMALL) {
      return null;
    }
    var missing = new ArrayList<FieldValues>();
    for (var values : byField) {
      if (!values.fields().isPrecomputed(object, values.field())) {
        missing.add(values);
      }
    }
    return missing.isEmpty()
        ? null
        : () -> missing.forEach(values -> values.fields().value(object, values.field()));
  }

  /** The key with the fewest groups; of equal keys the first. */
  private @Nullable SelectionKey best(List<SelectionKey> keys) {
    SelectionKey best = null;
    int least = Integer.MAX_VALUE;
    for (var key : keys) {
      int beside = beside(key);
      if (beside < least) {
        least = beside;
        best = key;
      }
    }
    return best;
  }

  private int beside(SelectionKey key) {
    return switch (key) {
      case SelectionKey.Named named -> size(byObject.get(named.name()));
      case SelectionKey.Name name -> size(byName.get(name.name()));
      case SelectionKey.Namespace namespace -> size(byNamespace.get(namespace.namespace()));
      case SelectionKey.Field field -> {
        var values = values(field);
        yield values == null ? 0 : size(values.byValue().get(field.value()));
      }
      case SelectionKey.Label label -> {
        var values = byLabel.getOrDefault(label.key(), Map.of());
        yield label.values().stream().mapToInt(value -> size(values.get(value))).sum();
      }
    };
  }

  private static int size(@Nullable List<SelectorGroup> found) {
    return found == null ? 0 : found.size();
  }

  private void place(SelectorGroup group, SelectionKey key) {
    switch (key) {
      case SelectionKey.Named named -> place(group, byObject, named.name());
      case SelectionKey.Name name -> place(group, byName, name.name());
      case SelectionKey.Namespace namespace -> place(group, byNamespace, namespace.namespace());
      case SelectionKey.Field field -> {
        var values = values(field);
        if (values == null) {
          values = new FieldValues(field.fields(), field.field(), new HashMap<>());
          byField.add(values);
        }
        place(group, values.byValue(), field.value());
      }
      case SelectionKey.Label label -> {
        var values = byLabel.computeIfAbsent(label.key(), unknown -> new HashMap<>());
        label.values().forEach(value -> place(group, values, value));
      }
    }
  }

  private static <K> void place(SelectorGroup group, Map<K, List<SelectorGroup>> index, K key) {
    index.computeIfAbsent(key, unknown -> new ArrayList<>(1)).add(group);
  }

  private void displace(SelectorGroup group, SelectionKey key) {
    switch (key) {
      case SelectionKey.Named named -> displace(group, byObject, named.name());
      case SelectionKey.Name name -> displace(group, byName, name.name());
      case SelectionKey.Namespace namespace -> displace(group, byNamespace, namespace.namespace());
      case SelectionKey.Field field -> {
        var values = values(field);
        if (values != null) {
          displace(group, values.byValue(), field.value());
          if (values.byValue().isEmpty()) {
            byField.removeIf(each -> each == values);
          }
        }
      }
      case SelectionKey.Label label -> {
        var values = byLabel.get(label.key());
        if (values != null) {
          label.values().forEach(value -> displace(group, values, value));
          if (values.isEmpty()) {
            byLabel.remove(label.key());
          }
        }
      }
    }
  }

  private static <K> void displace(SelectorGroup group, Map<K, List<SelectorGroup>> index, K key) {
    var found = index.get(key);
    if (found != null) {
      found.remove(group);
      if (found.isEmpty()) {
        index.remove(key);
      }
    }
  }

  private @Nullable FieldValues values(SelectionKey.Field key) {
    for (var values : byField) {
      if (values.fields() == key.fields() && values.field().equals(key.field())) {
        return values;
      }
    }
    return null;
  }
}
