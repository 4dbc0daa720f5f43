package dev.muster.access.admission.webhook;

import dev.muster.model.json.JsonObject;
import dev.muster.registry.types.ClusterView;
import dev.muster.registry.types.ObjectMeta;
import java.util.ArrayList;
import java.util.List;

/**
 * Safe for any thread. The webhooks of one kind that a view of the cluster holds, in the order in
 * which they are asked: configurations by their names, webhooks as they stand there. What was read
 * of the collection is kept until it changes.
 */
final class HookConfigurations {
  private final String collection;
  private volatile Read last = new Read(0, List.of());

  /** The webhooks as they are since that revision. */
  private record Read(long revision, List<Hook> hooks) {}

  /**
   * @param collection as views name it, such as {@code /mutatingwebhookconfigurations}
   */
  HookConfigurations(String collection) {
    this.collection = collection;
  }

  List<Hook> in(ClusterView cluster) {
    long revision = cluster.changed(collection);
    var known = last;
    if (known.revision() == revision) {
      return known.hooks();
    }
    var read = new Read(revision, read(cluster.list(collection, "")));
    last = read;
    return read.hooks();
  }

  private static List<Hook> read(List<JsonObject> configurations) {
    var hooks = new ArrayList<Hook>();
    for (var configuration : configurations) {
      var name = ObjectMeta.name(configuration);
      var entries = configuration.array("webhooks").objects();
      for (int i = 0; i < entries.size(); i++) {
        hooks.add(Hook.of(name, i, entries.get(i)));
      }
    }
    return List.copyOf(hooks);
  }
}
