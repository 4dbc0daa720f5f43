package dev.muster.registry.custom;

import dev.muster.types.ServedType;
import dev.muster.types.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Collects the types of definitions before and after a set of changes. It looks only at API groups
 * with a changed definition. Only one thread uses it.
 */
final class ChangedGroups {
  private final Types types;
  private final Set<String> groups = new TreeSet<>();
  private final Map<String, List<ServedType>> before = new LinkedHashMap<>();
  private final Map<String, List<ServedType>> after = new LinkedHashMap<>();

  /** Newer states of definitions whose types stay the same, by name. */
  private final Map<String, Definition> followed = new HashMap<>();

  ChangedGroups(Types types) {
    this.types = types;
  }

  /** The current types of a definition; empty when it has none. Marks its group as changed. */
  List<ServedType> definedBy(String definition) {
    if (!after.containsKey(definition)) {
      for (var type : types.definedBy(Definition.STORAGE + "/" + definition)) {
        add(type.kind().group());
      }
    }
    return after.getOrDefault(definition, List.of());
  }

  /** Marks a group as changed: definitions of one group can conflict over names. */
  void add(String group) {
    if (groups.add(group)) {
      types
          .definedIn(group)
          .values()
          .forEach(
              defined -> {
                var name = Definition.of(defined).name();
                before.put(name, defined);
                after.put(name, defined);
              });
    }
  }

  /** The newest state of the definition of these types. */
  Definition definition(String name, List<ServedType> defined) {
    var later = followed.get(name);
    return later == null ? Definition.of(defined) : later;
  }

  /** Replaces the types of a definition. */
  void put(String definition, List<ServedType> defined) {
    after.put(definition, defined);
    followed.remove(definition);
  }

  /** Records a newer state of a definition whose types stay the same. */
  void follow(Definition later) {
    followed.put(later.name(), later);
  }

  /** The definitions, by group. */
  Map<String, List<Definition>> definitions() {
    var definitions = new TreeMap<String, List<Definition>>();
    after.forEach(
        (name, defined) -> {
          if (!defined.isEmpty()) {
            var definition = definition(name, defined);
            definitions
                .computeIfAbsent(definition.group(), group -> new ArrayList<>())
                .add(definition);
          }
        });
    return definitions;
  }

  /**
   * Returns the types with all changes, or the same instance when nothing changed. Definitions
   * whose types stay move on to their newest states.
   */
  Types changed() {
    followed.forEach((name, later) -> Definition.of(definedBy(name)).follow(later));
    var gone = new HashSet<ServedType>();
    var more = new ArrayList<ServedType>();
    after.forEach(
        (name, now) -> {
          var old = before.getOrDefault(name, List.of());
          if (old != now) {
            gone.addAll(old);
            more.addAll(now);
          }
        });
    return gone.isEmpty() && more.isEmpty() ? types : types.with(gone, more);
  }
}
