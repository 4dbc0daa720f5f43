package dev.muster.admission.manifest;

import java.util.Map;
import java.util.function.Supplier;

/** The manifests of all plugins that have a manifest folder. */
public record ManifestSources(Map<ManifestPlugin, StaticManifests> byPlugin) {
  public static final ManifestSources NONE = new ManifestSources(Map.of());

  public ManifestSources {
    byPlugin = Map.copyOf(byPlugin);
  }

  /** Supplies the current manifests of a plugin. */
  public Supplier<ManifestSet> of(ManifestPlugin plugin) {
    var some = byPlugin.get(plugin);
    return some == null ? () -> ManifestSet.EMPTY : some;
  }

  /** Reads changed files. The server calls this periodically. */
  public void refresh() {
    byPlugin.values().forEach(StaticManifests::refresh);
  }
}
