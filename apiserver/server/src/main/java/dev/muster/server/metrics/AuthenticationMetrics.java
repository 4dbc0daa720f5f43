package dev.muster.server.metrics;

import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot.UnknownDataPointSnapshot;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts and times authentication under upstream's metric names. Thread-safe. */
public final class AuthenticationMetrics {
  /** The result of authentication. */
  public enum Result {
    SUCCESS,
    /** Missing credentials where they are required. */
    FAILURE,
    /** Invalid credentials. */
    ERROR;

    private final String label = name().toLowerCase(Locale.ROOT);
  }

  private static final String EMAIL = "email_id";
  private static final String OTHER = "other";

  /** Users with their own label value; the metrics do not reveal the names of others. */
  private static final List<String> NAMED =
      List.of(
          "admin",
          "client",
          "kube_proxy",
          "kubelet",
          "system:serviceaccount:kube-system:default",
          EMAIL,
          OTHER);

  /** From half an hour to a year. */
  private static final double[] LIFETIMES = {
    0, 1800, 3600, 7200, 21600, 43200, 86400, 172800, 345600, 604800, 2592000, 7776000, 15552000,
    31104000
  };

  private final Map<String, LongAdder> users = new LinkedHashMap<>();
  private final Map<String, LongAdder> attempts = new LinkedHashMap<>();
  private final Map<Result, DistributionDataPoint> durations = new EnumMap<>(Result.class);
  private final Histogram certificates;

  public AuthenticationMetrics(PrometheusRegistry registry) {
    NAMED.forEach(name -> users.put(name, new LongAdder()));
    register(
        registry,
        "authenticated_user_requests",
        "Requests of which it is known who sent them, by the kind of user.",
        "username",
        users);
    var duration =
        Histogram.builder()
            .withoutExemplars()
            .name("authentication_duration_seconds")
            .help("Time to find out who sent a request.")
            .labelNames("result")
            .classicOnly()
            .classicExponentialUpperBounds(0.001, 2, 15)
            .register(registry);
    for (var result : Result.values()) {
      attempts.put(result.label, new LongAdder());
      durations.put(result, duration.labelValues(result.label));
    }
    certificates =
        Histogram.builder()
            .withoutExemplars()
            .name("apiserver_client_certificate_expiration_seconds")
            .help("Time for which the certificates that clients show are still good.")
            .classicOnly()
            .classicUpperBounds(LIFETIMES)
            .register(registry);
    register(
        registry,
        "authentication_attempts",
        "Requests by whether it is known who sent them.",
        "result",
        attempts);
  }

  /** Upstream's names lack the suffix that the library appends to every counter. */
  private static void register(
      PrometheusRegistry registry,
      String name,
      String help,
      String label,
      Map<String, LongAdder> counts) {
    Collector collector =
        () -> {
          var snapshot = UnknownSnapshot.builder().name(name).help(help);
          counts.forEach(
              (value, count) -> {
                if (count.sum() > 0) {
                  snapshot.dataPoint(
                      UnknownDataPointSnapshot.builder()
                          .labels(Labels.of(label, value))
                          .value((double) count.sum())
                          .build());
                }
              });
          return snapshot.build();
        };
    registry.register(collector);
  }

  /**
   * Counts a request.
   *
   * @param user of a success
   */
  public void authenticated(Result result, String user, long nanos) {
    if (result == Result.SUCCESS) {
      increment(users, users.containsKey(user) ? user : user.indexOf('@') >= 0 ? EMAIL : OTHER);
    }
    increment(attempts, result.label);
    var duration = durations.get(result);
    if (duration != null) {
      duration.observe(nanos / 1e9);
    }
  }

  /**
   * Records a client certificate.
   *
   * @param millis its remaining lifetime
   */
  public void shown(long millis) {
    certificates.observe(millis / 1e3);
  }

  private static void increment(Map<String, LongAdder> counts, String key) {
    var count = counts.get(key);
    if (count != null) {
      count.increment();
    }
  }
}
