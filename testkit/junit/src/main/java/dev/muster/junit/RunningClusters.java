package dev.muster.junit;

import dev.muster.embedded.Checkpoint;
import dev.muster.embedded.Muster;
import dev.muster.embedded.OfficialClients;
import dev.muster.embedded.TestCluster;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext.Store.CloseableResource;

/** The clusters of one outermost test class, by name. Thread-safe, guarded by its own lock. */
@SuppressWarnings("deprecation") // What JUnit 5 closes by itself; JUnit 6 looks at AutoCloseable.
final class RunningClusters implements CloseableResource, AutoCloseable {
  private static final class Running {
    final TestCluster cluster;
    final Reset reset;
    @Nullable Checkpoint beforeTests;
    @Nullable Object officialClient;

    Running(TestCluster cluster, Reset reset) {
      this.cluster = cluster;
      this.reset = reset;
    }
  }

  private final Map<String, Running> clusters = new LinkedHashMap<>();

  /** Starts those that do not run yet. */
  synchronized void start(Map<String, ClusterSettings> wanted) {
    wanted.forEach(
        (name, settings) ->
            clusters.computeIfAbsent(
                name, ignored -> new Running(Muster.start(settings.options()), settings.reset())));
  }

  synchronized TestCluster get(String name) {
    return running(name).cluster;
  }

  /**
   * One client per cluster; the return type is {@code Object} because the library may be absent.
   */
  synchronized Object officialClient(String name) {
    var running = running(name);
    var client = running.officialClient;
    if (client == null) {
      client = OfficialClients.of(running.cluster);
      running.officialClient = client;
    }
    return client;
  }

  private Running running(String name) {
    var running = clusters.get(name);
    if (running == null) {
      throw new IllegalStateException("no cluster \"" + name + "\" was started");
    }
    return running;
  }

  /** A test begins. */
  synchronized void beginTest() {
    for (var running : clusters.values()) {
      var before = running.beforeTests;
      if (before == null || running.reset == Reset.NEVER) {
        running.beforeTests = running.cluster.checkpoint();
      } else {
        running.cluster.reset(before);
      }
    }
  }

  /** The changes that the test made in all clusters, as text. */
  synchronized String report() {
    var text = new StringBuilder();
    clusters.forEach(
        (name, running) -> {
          if (!name.isEmpty()) {
            text.append("Cluster ").append(name).append(":\n");
          }
          text.append(running.cluster.report());
        });
    return text.toString();
  }

  @Override
  public synchronized void close() {
    clusters.values().forEach(running -> running.cluster.close());
    clusters.clear();
  }
}
