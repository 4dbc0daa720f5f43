package dev.muster.server.metrics;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.muster.server.discovery.VersionInfo;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.DoubleSupplier;

/** What every Prometheus client library tells about its process, and which version this is. */
public final class ProcessMetrics {
  private static final Path MEMORY = Path.of("/proc/self/statm");
  private static final int PAGE = 4096;

  private ProcessMetrics() {}

  public static void register(PrometheusRegistry registry) {
    gauge(
        registry,
        "process_start_time_seconds",
        "When the process began, in seconds since 1970.",
        () -> (double) ManagementFactory.getRuntimeMXBean().getStartTime() / 1e3);
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
      CounterWithCallback.builder()
          .name("process_cpu_seconds_total")
          .help("Seconds of CPU that the process used.")
          .callback(counter -> counter.call((double) system.getProcessCpuTime() / 1e9))
          .register(registry);
      gauge(registry, "process_open_fds", "Open files.", () -> system.getOpenFileDescriptorCount());
      gauge(
          registry,
          "process_max_fds",
          "The most files that may be open.",
          () -> system.getMaxFileDescriptorCount());
    }
    if (Files.isReadable(MEMORY)) {
      gauge(
          registry,
          "process_virtual_memory_bytes",
          "Addresses that the process holds.",
          () -> memory(0));
      gauge(
          registry,
          "process_resident_memory_bytes",
          "Memory that the process occupies.",
          () -> memory(1));
    }
    version(registry);
  }

  private static void gauge(
      PrometheusRegistry registry, String name, String help, DoubleSupplier value) {
    GaugeWithCallback.builder()
        .name(name)
        .help(help)
        .callback(gauge -> gauge.call(value.getAsDouble()))
        .register(registry);
  }

  private static void version(PrometheusRegistry registry) {
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

  private static double memory(int column) {
    try {
      return Double.parseDouble(Files.readString(MEMORY).split(" ")[column]) * PAGE;
    } catch (IOException e) {
      return Double.NaN;
    }
  }
}
