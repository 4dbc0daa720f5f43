package dev.muster.fleet.endpoints;

import dev.muster.fleet.endpoints.form.AddressFamily;
import dev.muster.fleet.endpoints.form.FleetMember;
import dev.muster.fleet.endpoints.form.PlannedWrite;
import dev.muster.fleet.endpoints.form.PublishedServers;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Locale;
import java.util.function.DoubleSupplier;

/** Metrics of the published endpoints and the endpoint records. Thread-safe. */
final class EndpointMetrics {
  private final Counter writes;
  private final Counter failures;
  private final Counter renewals;
  private final Counter renewalFailures;
  private final Gauge addresses;
  private final Gauge records;
  private final Gauge dualStack;
  private final Gauge withoutLease;

  /**
   * @param age seconds since this server's record was renewed
   */
  EndpointMetrics(PrometheusRegistry registry, DoubleSupplier age) {
    writes =
        Counter.builder()
            .name("muster_endpoints_writes_total")
            .help("Changes of the kubernetes Service, its Endpoints and EndpointSlices, by reason.")
            .labelNames("resource", "reason")
            .register(registry);
    failures =
        Counter.builder()
            .name("muster_endpoints_write_failures_total")
            .help("Changes of those objects that were refused.")
            .labelNames("resource", "reason")
            .register(registry);
    renewals =
        Counter.builder()
            .name("muster_endpoints_renewals_total")
            .help("Renewals of this server's own record.")
            .register(registry);
    renewalFailures =
        Counter.builder()
            .name("muster_endpoints_pass_failures_total")
            .help("Passes over records and endpoints that failed, mostly because of the store.")
            .register(registry);
    addresses =
        Gauge.builder()
            .name("muster_endpoints_addresses")
            .help("Addresses of servers that are published, by family.")
            .labelNames("family")
            .register(registry);
    records =
        Gauge.builder()
            .name("muster_endpoints_records")
            .help("Living records of servers, by where they stand.")
            .labelNames("source")
            .register(registry);
    dualStack =
        Gauge.builder()
            .name("muster_endpoints_dual_stack")
            .help("Whether a server of the fleet advertises both families.")
            .register(registry);
    withoutLease =
        Gauge.builder()
            .name("muster_endpoints_without_lease")
            .help("Published endpoints at which no API server with an identity Lease is.")
            .register(registry);
    GaugeWithCallback.builder()
        .name("muster_endpoints_record_age_seconds")
        .help("Time since this server's own record was renewed.")
        .callback(callback -> callback.call(age.getAsDouble()))
        .register(registry);
  }

  void wrote(PlannedWrite write) {
    writes.labelValues(write.kind().resource().resource(), write.reason()).inc();
  }

  void refused(PlannedWrite write) {
    failures.labelValues(write.kind().resource().resource(), write.reason()).inc();
  }

  void renewed() {
    renewals.inc();
  }

  void withoutLease(int endpoints) {
    withoutLease.set(endpoints);
  }

  void passFailed() {
    renewalFailures.inc();
  }

  void published(PublishedServers published, Membership membership) {
    for (var family : AddressFamily.values()) {
      addresses.labelValues(family.text()).set(published.addresses(family));
    }
    for (var source : FleetMember.Source.values()) {
      records
          .labelValues(source.name().toLowerCase(Locale.ROOT).replace('_', '-'))
          .set((double) membership.count(source));
    }
    dualStack.set(published.dualStack() ? 1 : 0);
  }
}
