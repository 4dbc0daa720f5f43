package dev.muster.fleet.endpoints;

import dev.muster.model.Cidr;
import dev.muster.model.JsonObject;
import dev.muster.store.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All that matters here of the cluster at one revision.
 *
 * @param leases entries of ours, in key order
 * @param masterLeases entries in kube-apiserver's form, in key order
 * @param configMap with the entries of servers
 * @param config with the settings of that way
 * @param ranges of the ServiceCIDR objects
 */
record View(
    List<Entry> leases,
    List<Entry> masterLeases,
    Plan.Objects objects,
    @Nullable JsonObject configMap,
    @Nullable JsonObject config,
    List<Cidr> ranges) {

  /** Everything that a server renews, with what changes when it does. */
  Map<String, String> versions() {
    var versions = new TreeMap<String, String>();
    for (var entry : entries()) {
      versions.put(entry.key(), Long.toString(entry.modRevision()));
    }
    if (configMap != null) {
      configMap.object("data").strings().forEach(versions::put);
    }
    return versions;
  }

  List<Entry> entries() {
    var all = new ArrayList<>(leases);
    all.addAll(masterLeases);
    return all;
  }

  @Nullable Entry lease(String key) {
    return entries().stream().filter(entry -> entry.key().equals(key)).findFirst().orElse(null);
  }

  /** Differs whenever something here has changed. */
  String fingerprint() {
    var text = new StringBuilder(versions().toString());
    append(text, objects.service());
    append(text, objects.endpoints());
    new TreeMap<>(objects.slices()).values().forEach(slice -> append(text, slice));
    append(text, configMap);
    append(text, config);
    return text.append(ranges).toString();
  }

  private static void append(StringBuilder text, @Nullable JsonObject object) {
    text.append('|');
    if (object != null) {
      text.append(object.object("metadata").string("resourceVersion"));
    }
  }
}
