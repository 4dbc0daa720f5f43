package dev.muster.admission.manifest;

import dev.muster.types.Types;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The manifests of one plugin: the current files, or the last ones that were valid. Thread-safe;
 * only {@link #refresh} takes a lock.
 */
public final class StaticManifests implements Supplier<ManifestSet> {
  private static final Logger log = LoggerFactory.getLogger(StaticManifests.class);

  /** Receives the results of reading files. */
  public interface Observer {
    void loaded(ManifestPlugin plugin, String hash);

    void failed(ManifestPlugin plugin);
  }

  private final ManifestPlugin plugin;
  private final Path folder;
  private final Types types;
  private final Observer observer;
  private volatile ManifestSet current;

  /**
   * Reads the files.
   *
   * @param types the built-in types
   * @throws IllegalArgumentException when they cannot be used
   */
  public StaticManifests(ManifestPlugin plugin, Path folder, Types types, Observer observer) {
    this.plugin = plugin;
    this.folder = folder;
    this.types = types;
    this.observer = observer;
    this.current = ManifestReader.read(plugin, folder, types);
    observer.loaded(plugin, current.hash());
  }

  @Override
  public ManifestSet get() {
    return current;
  }

  /**
   * Reads the files again if they have changed. Invalid files leave the former manifests in force.
   */
  public synchronized void refresh() {
    try {
      var now = ManifestReader.read(plugin, folder, types);
      if (!now.hash().equals(current.hash())) {
        current = now;
        log.info("reloaded the manifests of {} from {}", plugin.pluginName(), folder);
        observer.loaded(plugin, now.hash());
      }
    } catch (IllegalArgumentException e) {
      log.error("reloading the manifests of {}: {}", plugin.pluginName(), e.getMessage());
      observer.failed(plugin);
    }
  }
}
