package dev.muster.registry.custom;

import dev.muster.replica.keyspace.KeySpace;
import dev.muster.replica.keyspace.KeySpaceDefinitions;
import dev.muster.replica.object.StoredObject;
import dev.muster.types.ServedType;
import dev.muster.types.Types;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Derives the served types from CustomResourceDefinitions. The result depends only on the
 * definitions, not on the order of their changes, so all servers have the same types at the same
 * revision. Thread-safe.
 */
public final class CustomTypes implements KeySpaceDefinitions {
  private static final Logger LOG = LoggerFactory.getLogger(CustomTypes.class);

  private final WebhookConversion webhooks;

  /**
   * @param webhooks calls conversion webhooks
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
    var groups = new ChangedGroups((Types) before);
    for (var change : changes) {
      var object = change.after() == null ? change.before() : change.after();
      if (object != null) {
        apply(object.name().name(), change.after(), groups);
      }
    }
    groups.definitions().values().forEach(group -> settle(group, groups));
    return groups.changed();
  }

  /** Computes the types of a changed definition, if it can be served. */
  private void apply(String name, @Nullable StoredObject after, ChangedGroups groups) {
    var former = groups.definedBy(name);
    var old = former.isEmpty() ? null : groups.definition(name, former);
    if (after == null) {
      groups.put(name, List.of());
      return;
    }
    try {
      var same = old == null ? null : old.at(after);
      if (same != null) {
        groups.follow(same);
        return;
      }
      var tree = Definition.outline(after);
      var definition = Definition.of(after, tree, old);
      groups.add(definition.group());
      groups.put(name, new DefinedTypes(tree, definition, webhooks).types(true, former));
    } catch (RuntimeException | StackOverflowError wrong) {
      LOG.error("The definition {} cannot be followed", name, wrong);
      groups.put(name, List.of());
    }
  }

  /** Decides which definitions of a group are served, and rebuilds their types where needed. */
  private void settle(List<Definition> all, ChangedGroups groups) {
    for (var definition : all) {
      var types = groups.definedBy(definition.name());
      boolean served = definition.isServedAmong(all);
      boolean isServed = types.stream().anyMatch(ServedType::isServed);
      if (isServed != (served && definition.hasServedVersion())) {
        var made = new DefinedTypes(Definition.outline(definition.object()), definition, webhooks);
        groups.put(definition.name(), made.types(served, types));
      }
    }
  }
}
