package dev.muster.admission.webhook;

import dev.muster.admission.manifest.ManifestSet;
import dev.muster.admission.matching.AdmissionAttributes;
import dev.muster.model.json.JsonObject;
import dev.muster.types.ClusterView;
import dev.muster.types.ObjectMeta;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The webhooks of one kind in a view of the cluster, in calling order: configurations by name,
 * webhooks as listed. The parsed webhooks are cached until the collection changes. Thread-safe.
 */
final class HookConfigurations {
  private final String collection;
  private final Supplier<ManifestSet> manifests;
  private volatile Files files = new Files(ManifestSet.EMPTY, List.of());
  private volatile Read last = new Read(0, files, List.of());

  /** The webhooks from manifest files. */
  private record Files(ManifestSet set, List<Hook> hooks) {}

  /** The webhooks since that revision, those from files first. */
  private record Read(long revision, Files files, List<Hook> hooks) {}

  /**
   * @param collection as views name it, such as {@code /mutatingwebhookconfigurations}
   * @param manifests configurations from manifest files
   */
  HookConfigurations(String collection, Supplier<ManifestSet> manifests) {
    this.collection = collection;
    this.manifests = manifests;
  }

  /** The webhooks that may apply to such a request. */
  List<Hook> about(AdmissionAttributes attributes) {
    return HookMatcher.isExempt(attributes) ? ofFiles() : in(attributes.request().cluster());
  }

  private List<Hook> in(ClusterView cluster) {
    long revision = cluster.changed(collection);
    var first = files();
    var known = last;
    if (known.revision() == revision && known.files() == first) {
      return known.hooks();
    }
    var hooks = new ArrayList<>(first.hooks());
    hooks.addAll(read(cluster.list(collection, "")));
    var read = new Read(revision, first, List.copyOf(hooks));
    last = read;
    return read.hooks();
  }

  /** Only the webhooks from files, which cannot lock out API users. */
  private List<Hook> ofFiles() {
    return files().hooks();
  }

  private Files files() {
    var now = manifests.get();
    var known = files;
    if (known.set() != now) {
      known = new Files(now, read(now.objects()));
      files = known;
    }
    return known;
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
