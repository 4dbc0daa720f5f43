package dev.muster.server.metrics;

import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Counts and times who requests are from, under upstream's names. Safe for any thread. */
public final class AuthenticationMetrics {
  /** What came of it. */
  public enum Result {
    SUCCESS,
    /** No credentials, where they are needed. */
    FAILURE,
    /** Wrong credentials. */
    ERROR
  }

  /** Users that are counted by themselves; the names of others are nobody's business. */
  private static final Set<String> NAMED =
      Set.of(
          "admin", "client", "kube_proxy", "kubelet", "system:serviceaccount:kube-system:default");

  private final Counter users;
  private final CounterDataPoint others;
  private final Map<Result, CounterDataPoint> attempts = new EnumMap<>(Result.class);
  private final Map<Result, DistributionDataPoint> durations = new EnumMap<>(Result.class);

  public AuthenticationMetrics(PrometheusRegistry registry) {
    users =
        Counter.builder()
            .name("authenticated_user_requests")
            .help("Requests of which it is known who sent them, by the kind of user.")
            .labelNames("username")
            .register(registry);
    others = users.labelValues("other");
    var attempted =
        Counter.builder()
            .name("authentication_attempts")
            .help("Requests by whether it is known who sent them.")
            .labelNames("result")
            .register(registry);
    var duration =
        Histogram.builder()
            .name("authentication_duration_seconds")
            .help("Time to find out who sent a request.")
            .labelNames("result")
            .classicOnly()
            .classicExponentialUpperBounds(0.001, 2, 15)
            .register(registry);
    for (var result : Result.values()) {
      var name = result.name().toLowerCase(Locale.ROOT);
      attempts.put(result, attempted.labelValues(name));
      durations.put(result, duration.labelValues(name));
    }
  }

  /**
   * @param user of a success
   */
  public void authenticated(Result result, String user, long nanos) {
    if (result == Result.SUCCESS) {
      user(user).inc();
    }
    var attempt = attempts.get(result);
    var duration = durations.get(result);
    if (attempt != null && duration != null) {
      attempt.inc();
      duration.observe(nanos / 1e9);
    }
  }

  private CounterDataPoint user(String name) {
    if (NAMED.contains(name)) {
      return users.labelValues(name);
    }
    return name.indexOf('@') >= 0 ? users.labelValues("email_id") : others;
  }
}
