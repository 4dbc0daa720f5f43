package dev.muster.registry.custom;

import dev.muster.registry.types.ServedType;
import dev.muster.registry.types.Types;
import dev.muster.replica.KeySpace;
import dev.muster.replica.KeySpaceDefinitions;
import dev.muster.replica.StoredObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The types that CustomResourceDefinitions define. Safe for any thread. Which definitions are
 * served follows from the definitions alone and not from their order: so all servers have the same
 * types at the same revision.
 */
public final class CustomTypes implements KeySpaceDefinitions {
  private static final Logger LOG = LoggerFactory.getLogger(CustomTypes.class);

  private final WebhookConversion webhooks;

  /**
   * @param webhooks asks the conversion webhooks of definitions
   */
  public CustomTypes(WebhookConversion webhooks) {
    this.webhooks = webhooks;
  }

  @Override
  public Set<String> storages() {
    return Set.of(Definition.STORAGE);
  }

  @Override
  public KeySpace after(KeySpace before, List<Change> changes) {
    var types = (Types) before;
    var known = new LinkedHashMap<String, List<ServedType>>();
    for (var type : types.all()) {
      if (type.definition() instanceof Definition definition) {
        known.computeIfAbsent(definition.name(), name -> new ArrayList<>()).add(type);
      }
    }
    var now = new LinkedHashMap<>(known);
    var groups = new TreeSet<String>();
    for (var change : changes) {
      var object = change.after() == null ? change.before() : change.after();
      if (object != null) {
        apply(object.name().name(), change.after(), now, groups);
      }
    }
    groups.forEach(group -> settle(group, now));
    return with(types, known, now);
  }

  /** What a changed definition defines, if it may be served. */
  private void apply(
      String name,
      @Nullable StoredObject after,
      Map<String, List<ServedType>> now,
      Set<String> groups) {
    var former = now.get(name);
    var old = former == null ? null : definition(former);
    if (old != null) {
      groups.add(old.group());
    }
    if (after == null) {
      now.remove(name);
      return;
    }
    var tree = after.tree();
    if (old != null && old.isSame(after, tree)) {
      return;
    }
    try {
      var made = new DefinedTypes(tree, Definition.of(after, tree, old), webhooks);
      now.put(name, made.types(true, former == null ? List.of() : former));
      groups.add(tree.object("spec").string("group"));
    } catch (RuntimeException | StackOverflowError wrong) {
      LOG.error("The definition {} cannot be followed", name, wrong);
      now.remove(name);
    }
  }

  private static Definition definition(List<ServedType> types) {
    return (Definition) Objects.requireNonNull(types.getFirst().definition());
  }

  /** Decides which of the definitions of a group are served, and makes their types anew if so. */
  private void settle(String group, Map<String, List<ServedType>> now) {
    var all = new ArrayList<Definition>();
    for (var types : now.values()) {
      if (definition(types).group().equals(group)) {
        all.add(definition(types));
      }
    }
    for (var definition : all) {
      var types = now.getOrDefault(definition.name(), List.of());
      boolean served = definition.isServedAmong(all);
      boolean isServed = types.stream().anyMatch(ServedType::isServed);
      if (isServed != (served && definition.hasServedVersion())) {
        var made = new DefinedTypes(definition.object().tree(), definition, webhooks);
        now.put(definition.name(), made.types(served, types));
      }
    }
  }

  private static Types with(
      Types types, Map<String, List<ServedType>> before, Map<String, List<ServedType>> after) {
    var gone = new HashSet<ServedType>();
    var more = new ArrayList<ServedType>();
    var names = new HashMap<>(before);
    names.putAll(after);
    for (var name : names.keySet()) {
      var old = before.getOrDefault(name, List.of());
      var now = after.getOrDefault(name, List.of());
      if (old != now) {
        gone.addAll(old);
        more.addAll(now);
      }
    }
    return gone.isEmpty() && more.isEmpty() ? types : types.with(gone, more);
  }
}
