package dev.muster.server.flags;

import dev.muster.server.options.flag.FileKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Flags of kube-apiserver that have no effect in Muster. Most are accepted, because manifests
 * contain them and users lose nothing without them. Some are refused by name, because ignoring them
 * would be less safe than not to start.
 */
public final class UpstreamFlags {
  private static final String GROUP = "Accepted, without effect";

  private static final String NO_WATCH_CACHE = "every server holds the whole cluster in memory";
  private static final String NO_ETCD_POLLING = "the store is followed, not polled";
  private static final String ONE_LOG_STREAM = "there is one log stream";
  private static final String ALL_METRICS = "all metrics are always served";

  private static final Set<String> BOOLEANS =
      Set.of(
          "contention-profiling",
          "emulation-forward-compatible",
          "enable-garbage-collector",
          "enable-logs-handler",
          "log-json-split-stream",
          "log-text-split-stream",
          "permit-address-sharing",
          "permit-port-sharing",
          "runtime-config-emulation-forward-compatible",
          "watch-cache");

  private static final Set<String> INTEGERS =
      Set.of(
          "default-watch-cache-size",
          "delete-collection-workers",
          "kubelet-read-only-port",
          "lease-reuse-duration-seconds",
          "max-connection-bytes-per-sec");

  private static final Set<String> DURATIONS =
      Set.of(
          "coordinated-leadership-lease-duration",
          "coordinated-leadership-renew-deadline",
          "coordinated-leadership-retry-period",
          "etcd-count-metric-poll-period",
          "etcd-db-metric-poll-interval",
          "etcd-healthcheck-timeout",
          "etcd-readycheck-timeout",
          "kubelet-timeout",
          "livez-grace-period",
          "log-flush-frequency",
          "shutdown-watch-termination-grace-period");

  private static final Map<String, String> ACCEPTED = new TreeMap<>();

  static {
    accept("there are no Go profiles", "contention-profiling", "debug-socket-path");
    accept("nothing is read from kubelets without TLS", "kubelet-read-only-port");
    accept("connections to kubelets have limits of their own", "kubelet-timeout");
    accept(NO_WATCH_CACHE, "watch-cache", "watch-cache-sizes", "default-watch-cache-size");
    accept(
        NO_ETCD_POLLING,
        "etcd-count-metric-poll-period",
        "etcd-db-metric-poll-interval",
        "etcd-healthcheck-timeout",
        "etcd-readycheck-timeout",
        "lease-reuse-duration-seconds",
        "storage-backend");
    accept(
        ONE_LOG_STREAM,
        "log-flush-frequency",
        "log-json-info-buffer-size",
        "log-json-split-stream",
        "log-text-info-buffer-size",
        "log-text-split-stream",
        "enable-logs-handler",
        "vmodule");
    accept(
        ALL_METRICS,
        "allow-metric-labels",
        "allow-metric-labels-manifest",
        "disabled-metrics",
        "show-hidden-metrics-for-version");
    accept("owners are always honoured", "enable-garbage-collector");
    accept("deletions of a collection are committed together", "delete-collection-workers");
    accept("sockets are always shared with those that close", "permit-address-sharing");
    accept("no port is shared", "permit-port-sharing");
    accept("livez has no grace period", "livez-grace-period");
    accept("streams are as fast as both sides", "max-connection-bytes-per-sec");
    accept("only 1.36 is emulated", "emulation-forward-compatible");
    accept("only 1.36 is emulated", "runtime-config-emulation-forward-compatible");
    accept("cloud providers live elsewhere", "cloud-config", "cloud-provider");
    accept(
        "coordinated leader election is not served",
        "coordinated-leadership-lease-duration",
        "coordinated-leadership-renew-deadline",
        "coordinated-leadership-retry-period");
    accept("watches end at once and go on elsewhere", "shutdown-watch-termination-grace-period");
  }

  private static final Set<String> REFUSED =
      Set.of(
          "admission-control",
          "emulated-version",
          "etcd-servers-overrides",
          "kubernetes-service-node-port",
          "min-compatibility-version",
          "service-account-signing-endpoint",
          "tracing-config-file");

  private UpstreamFlags() {}

  /** The accepted flags by name, for the help. */
  public static List<FlagDefinition> accepted() {
    var definitions = new ArrayList<FlagDefinition>();
    ACCEPTED.forEach(
        (name, reason) -> {
          definitions.add(
              new FlagDefinition(
                  GROUP,
                  name,
                  BOOLEANS.contains(name),
                  placeholder(name),
                  Character.toUpperCase(reason.charAt(0)) + reason.substring(1) + ".",
                  "",
                  FileKind.NONE));
        });
    return definitions;
  }

  /**
   * Checks the values of accepted flags as kube-apiserver does, so that a manifest with a mistake
   * fails here, too.
   *
   * @throws FlagException naming the first flag with a bad value
   */
  public static void check(Map<String, List<String>> given) {
    given.forEach(
        (name, texts) -> {
          if (ACCEPTED.containsKey(name)) {
            texts.forEach(text -> check(name, text));
          }
        });
  }

  private static void check(String name, String text) {
    switch (placeholder(name)) {
      case "bool" -> GoBoolean.parse(name, text);
      case "int" -> check(name, text, GoInteger::parse);
      case "duration" -> check(name, text, FlagType::duration);
      default -> {
        if (name.equals("storage-backend") && !text.isEmpty() && !text.equals("etcd3")) {
          throw new FlagException("--storage-backend: \"" + text + "\" is not etcd3");
        }
      }
    }
  }

  private static void check(String name, String text, Consumer<String> reader) {
    try {
      reader.accept(text);
    } catch (NumberFormatException e) {
      throw new FlagException("--" + name + ": \"" + text + "\" " + e.getMessage(), e);
    } catch (IllegalArgumentException e) {
      throw new FlagException("--" + name + ": " + e.getMessage(), e);
    }
  }

  private static String placeholder(String name) {
    if (BOOLEANS.contains(name)) {
      return "bool";
    }
    if (INTEGERS.contains(name)) {
      return "int";
    }
    if (DURATIONS.contains(name)) {
      return "duration";
    }
    return "string";
  }

  /** Whether the flag is one of kube-apiserver's that is not supported and must not be ignored. */
  public static boolean refused(String name) {
    return REFUSED.contains(name);
  }

  /** A log line for each given flag that has no effect. */
  public static List<String> remarks(Set<String> given) {
    return given.stream()
        .sorted()
        .map(name -> remark(name, ACCEPTED.get(name)))
        .filter(remark -> !remark.isEmpty())
        .collect(Collectors.toList());
  }

  private static String remark(String name, @Nullable String reason) {
    return reason == null ? "" : "--" + name + " is accepted and has no effect: " + reason;
  }

  private static void accept(String reason, String... names) {
    for (var name : names) {
      ACCEPTED.put(name, reason);
    }
  }
}
