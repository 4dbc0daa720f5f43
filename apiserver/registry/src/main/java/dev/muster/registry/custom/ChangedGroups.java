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
 * Used by one thread. What definitions define before and after some changes, in the groups that
 * these changes are about; all others stay as they are and are not looked at.
 */
final class ChangedGroups {
  private final Types types;
  private final Set<String> groups = new TreeSet<>();
  private final Map<String, List<ServedType>> before = new LinkedHashMap<>();
  private final Map<String, List<ServedType>> after = new LinkedHashMap<>();

  /** Later states of definitions that define the same. */
  private final Map<String, Definition> followed = new HashMap<>();

  ChangedGroups(Types types) {
    this.types = types;
  }

  /** What a definition defines by now; none when it is not there. Its group is about to change. */
  List<ServedType> definedBy(String definition) {
    if (!after.containsKey(definition)) {
      for (var type : types.definedBy(Definition.STORAGE + "/" + definition)) {
        add(type.kind().group());
      }
    }
    return after.getOrDefault(definition, List.of());
  }

  /**
   * Something in that group is about to change: its definitions may come into one another's way.
   */
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

  /** The present state of the definition of some types. */
  Definition definition(String name, List<ServedType> defined) {
    var later = followed.get(name);
    return later == null ? Definition.of(defined) : later;
  }

  /** From now on a definition defines these types. */
  void put(String definition, List<ServedType> defined) {
    after.put(definition, defined);
    followed.remove(definition);
  }

  /** From now on a definition is that, and its types stay. */
  void follow(Definition later) {
    followed.put(later.name(), later);
  }

  /** By the names of the groups. */
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
   * The types with what has changed; the same instance when nothing has. Definitions whose types
   * stay go on as their later states.
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
