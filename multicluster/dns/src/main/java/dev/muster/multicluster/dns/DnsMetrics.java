package dev.muster.multicluster.dns;

import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** The metrics of the DNS server. Thread-safe. */
public final class DnsMetrics {
  private static final Map<Integer, String> CODES =
      Map.of(
          0, "NOERROR",
          1, "FORMERR",
          2, "SERVFAIL",
          3, "NXDOMAIN",
          4, "NOTIMP",
          5, "REFUSED",
          16, "BADVERS");

  /** Why a message was dropped. */
  enum Drop {
    NOT_DNS,
    NOT_A_QUERY,
    CONNECTION_LIMIT
  }

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final Map<Integer, CounterDataPoint> datagrams = new HashMap<>();
  private final Map<Integer, CounterDataPoint> frames = new HashMap<>();
  private final CounterDataPoint truncated;
  private final CounterDataPoint failed;
  private final Map<Drop, CounterDataPoint> drops = new EnumMap<>(Drop.class);

  public DnsMetrics(ZoneIndex index) {
    var responses =
        Counter.builder()
            .name("muster_dns_responses_total")
            .help("Answers, by protocol and code.")
            .labelNames("proto", "rcode")
            .register(registry);
    CODES.forEach(
        (code, name) -> {
          datagrams.put(code, responses.labelValues("udp", name));
          frames.put(code, responses.labelValues("tcp", name));
        });
    truncated =
        Counter.builder()
            .name("muster_dns_truncated_responses_total")
            .help("Answers that were cut and have to be asked for by TCP.")
            .register(registry)
            .labelValues();
    failed =
        Counter.builder()
            .name("muster_dns_failures_total")
            .help("Queries or connections that ended by an error.")
            .register(registry)
            .labelValues();
    var dropped =
        Counter.builder()
            .name("muster_dns_dropped_messages_total")
            .help("Messages and connections that were not answered, by reason.")
            .labelNames("reason")
            .register(registry);
    for (var drop : Drop.values()) {
      drops.put(drop, dropped.labelValues(drop.name().toLowerCase(Locale.ROOT)));
    }
    gauge("muster_dns_services", "Services that have names.", index::services);
    gauge("muster_dns_records", "Records of services.", index::records);
    gauge(
        "muster_dns_synced",
        "Whether all services were read since the start.",
        () -> index.complete() ? 1 : 0);
  }

  private interface Measured {
    double value();
  }

  private void gauge(String name, String help, Measured measured) {
    GaugeWithCallback.builder()
        .name(name)
        .help(help)
        .callback(callback -> callback.call(measured.value()))
        .register(registry);
  }

  void answered(boolean datagram, int code, boolean cut) {
    var counter = (datagram ? datagrams : frames).get(code);
    if (counter != null) {
      counter.inc();
    }
    if (cut) {
      truncated.inc();
    }
  }

  void dropped(Drop reason) {
    var counter = drops.get(reason);
    if (counter != null) {
      counter.inc();
    }
  }

  void failed() {
    failed.inc();
  }

  PrometheusRegistry registry() {
    return registry;
  }
}
