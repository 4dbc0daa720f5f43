package dev.muster.fleet.discovery;

import static org.awaitility.Awaitility.await;

import dev.muster.fleet.TestServer;
import dev.muster.fleet.identity.FleetMembers;
import dev.muster.fleet.identity.IdentityOptions;
import dev.muster.fleet.identity.ServerIdentity;
import dev.muster.fleet.observation.ObservedTime;
import dev.muster.model.GroupVersionResource;
import dev.muster.model.Timestamps;
import dev.muster.model.identity.IdentityLease;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.store.Store;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One server's part in an agreement on what is served: a real replica and real writes, at times
 * that a test decides.
 */
final class AgreementServer implements AutoCloseable {
  static final Duration STEP = Duration.ofSeconds(10);
  static final IdentityOptions IDENTITY = IdentityOptions.defaults();
  static final GroupVersionResource LEASES =
      new GroupVersionResource("coordination.k8s.io", "v1", "leases");

  final TestServer server;
  final Agreement agreement;
  final HashReporter reporter;
  private final ServerIdentity identity = ServerIdentity.create();
  private final String hash;

  AgreementServer(Store store, Clock time, String hash, Duration period) {
    this.hash = hash;
    server = new TestServer(store, time);
    agreement =
        new Agreement(
            server.replica(),
            new FleetMembers(server.replica(), IDENTITY, time),
            identity,
            () -> hash,
            new DiscoveryHashOptions(period),
            new ObservedTime(STEP, STEP.multipliedBy(2)));
    reporter =
        new HashReporter(
            server.objects(), () -> hash, time, period, agreement::gone, agreement::withoutLease);
  }

  String id() {
    return identity.id().toString();
  }

  String leaseName() {
    return identity.id().leaseName();
  }

  void report() {
    reporter.report(identity.id());
  }

  /** Whether its agreement asks for a report before it is due. */
  boolean mustReport() {
    return !agreement.verdict().joined() || !agreement.gone().isEmpty();
  }

  void check(Duration now, Duration upToDate) {
    server.leases("default");
    // Mostly it is, and to wait starts a thread each time.
    if (!server.replica().ready()) {
      await().pollInterval(Duration.ofMillis(2)).until(server.replica()::ready);
    }
    agreement.evaluate(now, upToDate);
  }

  /** Its identity Lease as it is stored. */
  @Nullable JsonObject storedLease() {
    return server.objects().readLatest(LEASES, IDENTITY.namespace(), leaseName());
  }

  /** Its identity Lease, new. */
  JsonObject lease(Instant renewed) {
    return lease(IDENTITY.namespace(), leaseName(), id(), renewed)
        .withAt(Json.of(hash), "metadata", "annotations", IdentityLease.HASH);
  }

  /** An identity Lease that says nothing of what is served. */
  static JsonObject lease(String namespace, String name, String holder, Instant renewed) {
    return JsonObject.of(
        "apiVersion",
        "coordination.k8s.io/v1",
        "kind",
        "Lease",
        "metadata",
        JsonObject.of(
            "name",
            name,
            "namespace",
            namespace,
            "labels",
            JsonObject.ofStrings(Map.of(IdentityLease.LABEL, IdentityLease.LABEL_VALUE))),
        "spec",
        JsonObject.of(
            "holderIdentity",
            holder,
            "leaseDurationSeconds",
            3600,
            "renewTime",
            Timestamps.formatMicro(renewed)));
  }

  /** Renews a Lease; where there is none, the other one is made, if any. */
  void renew(String namespace, String name, Instant now, @Nullable JsonObject otherwise) {
    server
        .objects()
        .change(
            LEASES,
            namespace,
            name,
            stored -> {
              var lease = stored == null ? otherwise : stored;
              return lease == null
                  ? null
                  : lease.withAt(Json.of(Timestamps.formatMicro(now)), "spec", "renewTime");
            });
  }

  List<String> rows() {
    return HashRows.read(server.objects().readLatest(HashRows.RESOURCE, "", HashRows.NAME)).stream()
        .map(HashRows.Row::server)
        .toList();
  }

  @Override
  public void close() {
    server.close();
  }
}
