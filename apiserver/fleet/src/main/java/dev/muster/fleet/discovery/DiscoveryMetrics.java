package dev.muster.fleet.discovery;

import dev.muster.fleet.identity.FleetMembers;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Metrics of the agreement among servers. Thread-safe. */
final class DiscoveryMetrics {
  private final Counter failures;
  private final Counter removed;

  DiscoveryMetrics(
      PrometheusRegistry registry,
      Agreement agreement,
      FleetMembers members,
      Supplier<String> hash) {
    GaugeWithCallback.builder()
        .name("apiserver_identity_lease_silence_seconds")
        .help(
            "How long ago this server has seen each server of the fleet renew its identity Lease,"
                + " by its own watch and not by the times in them; none while it cannot tell yet.")
        .labelNames("apiserver_id")
        .callback(
            gauge -> {
              var silences = new TreeMap<String, Double>();
              for (var member : members.all()) {
                if (member.certain()) {
                  silences.merge(member.id(), member.silence().toMillis() / 1e3, Math::min);
                }
              }
              silences.forEach((id, silence) -> gauge.call(silence, id));
            })
        .register(registry);
    failures =
        Counter.builder()
            .name("apiserver_discovery_hash_heartbeat_failures_total")
            .help("Renewals of this server's row in DiscoveryDocHashes that failed.")
            .register(registry);
    removed =
        Counter.builder()
            .name("apiserver_discovery_hash_rows_removed_total")
            .help("Rows of other servers in DiscoveryDocHashes that this server removed.")
            .register(registry);
    GaugeWithCallback.builder()
        .name("apiserver_discovery_rows_without_lease")
        .help("Rows in DiscoveryDocHashes whose server has no living identity Lease.")
        .callback(gauge -> gauge.call(agreement.withoutLease().size()))
        .register(registry);
    GaugeWithCallback.builder()
        .name("apiserver_discovery_consistent")
        .help("What discovery documents say: 1 when all servers serve the same built-in APIs.")
        .callback(gauge -> gauge.call(agreement.answer().orElse(false) ? 1 : 0))
        .register(registry);
    GaugeWithCallback.builder()
        .name("apiserver_discovery_servers")
        .help(
            "The servers of the fleet, with the value 1: the hash of what each serves, empty for"
                + " one that reports none, and whether it is the hash of this server.")
        .labelNames("apiserver_id", "hash", "agrees")
        .callback(
            gauge -> {
              var verdict = agreement.verdict();
              verdict
                  .servers()
                  .forEach(
                      (reported, ids) ->
                          ids.forEach(
                              id ->
                                  gauge.call(
                                      1,
                                      id,
                                      reported,
                                      Boolean.toString(reported.equals(hash.get())))));
              verdict.silent().forEach(id -> gauge.call(1, id, "", "false"));
            })
        .register(registry);
  }

  void failed() {
    failures.inc();
  }

  void removed(int rows) {
    removed.inc(rows);
  }
}
