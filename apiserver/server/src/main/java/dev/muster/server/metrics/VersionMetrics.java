package dev.muster.server.metrics;

import dev.muster.server.discovery.VersionInfo;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

/** Exports the version of the server. */
public final class VersionMetrics {
  private VersionMetrics() {}

  public static void register(PrometheusRegistry registry) {
    var version = VersionInfo.document();
    GaugeWithCallback.builder()
        .name("kubernetes_build_info")
        .help("1, with the version that /version tells.")
        .labelNames(
            "build_date",
            "compiler",
            "git_commit",
            "git_tree_state",
            "git_version",
            "go_version",
            "major",
            "minor",
            "platform")
        .callback(
            gauge ->
                gauge.call(
                    1,
                    version.string("buildDate"),
                    version.string("compiler"),
                    version.string("gitCommit"),
                    version.string("gitTreeState"),
                    version.string("gitVersion"),
                    version.string("goVersion"),
                    version.string("major"),
                    version.string("minor"),
                    version.string("platform")))
        .register(registry);
  }
}
