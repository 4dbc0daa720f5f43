package dev.muster.admission.manifest;

import java.util.Map;
import java.util.function.Supplier;

/** The manifests of all plugins that have some. */
public record ManifestSources(Map<ManifestPlugin, StaticManifests> byPlugin) {
  public static final ManifestSources NONE = new ManifestSources(Map.of());

  public ManifestSources {
    byPlugin = Map.copyOf(byPlugin);
  }

  /** What the files of a plugin say at the moment at which one asks. */
  public Supplier<ManifestSet> of(ManifestPlugin plugin) {
    var some = byPlugin.get(plugin);
    return some == null ? () -> ManifestSet.EMPTY : some;
  }

  /** Looks whether files have changed. Called from time to time. */
  public void refresh() {
    byPlugin.values().forEach(StaticManifests::refresh);
  }
}
