package dev.muster.fleet.discovery;

import static org.awaitility.Awaitility.await;

import dev.muster.fleet.TestServer;
import dev.muster.fleet.discovery.HashRows.Row;
import dev.muster.fleet.identity.FleetMembers;
import dev.muster.fleet.identity.IdentityLease;
import dev.muster.fleet.identity.IdentityOptions;
import dev.muster.fleet.identity.ServerIdentity;
import dev.muster.fleet.observation.ObservedTime;
import dev.muster.model.GroupVersionResource;
import dev.muster.model.Timestamps;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.store.Store;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A server of a simulated fleet, which does in one step what a real one does in ten seconds. */
final class SimulatedServer implements AutoCloseable {
  static final Duration STEP = Duration.ofSeconds(10);
  private static final IdentityOptions IDENTITY = IdentityOptions.defaults();
  private static final GroupVersionResource LEASES =
      new GroupVersionResource("coordination.k8s.io", "v1", "leases");

  private final TestServer server;
  private final ServerIdentity identity = ServerIdentity.create();
  private final Agreement agreement;
  private final HashReporter reporter;
  private final Clock time;
  private final Duration period;
  final String hash;
  private Duration now = Duration.ZERO;
  private Duration upToDate = Duration.ZERO;
  private int sinceReport;
  private boolean cut;
  boolean paused;

  SimulatedServer(Store store, Clock time, String hash, Duration period) {
    this.time = time;
    this.hash = hash;
    this.period = period;
    server = new TestServer(store, time);
    var members = new FleetMembers(server.replica(), IDENTITY, time);
    agreement =
        new Agreement(
            server.replica(),
            members,
            identity,
            () -> hash,
            new DiscoveryHashOptions(period),
            new ObservedTime(STEP, STEP.multipliedBy(2)));
    reporter = new HashReporter(server.objects(), () -> hash, time, period, agreement::gone);
    server.makeNamespace(IDENTITY.namespace());
    reporter.report(identity.id());
    renew();
  }

  String id() {
    return identity.id().toString();
  }

  boolean connected() {
    return !cut;
  }

  void cut() {
    cut = true;
    server.link().cut();
    await().until(() -> !server.replica().ready());
  }

  void mend() {
    cut = false;
    server.link().mend();
    await().until(server.replica()::ready);
  }

  /** What its discovery documents say now. */
  boolean consistent() {
    return agreement.answer().orElseThrow();
  }

  /** Ten seconds go by. */
  void step() {
    now = now.plus(STEP);
    if (paused) {
      return;
    }
    if (cut) {
      agreement.evaluate(now, upToDate);
      return;
    }
    upToDate = now;
    renew();
    look();
    sinceReport++;
    boolean wanted = !agreement.verdict().joined() || !agreement.gone().isEmpty();
    if (wanted || sinceReport * STEP.toSeconds() >= period.toSeconds()) {
      reporter.report(identity.id());
      sinceReport = 0;
    }
  }

  private void look() {
    server.leases("default");
    // Mostly it is, and to wait starts a thread each time.
    if (!server.replica().ready()) {
      await().pollInterval(Duration.ofMillis(2)).until(server.replica()::ready);
    }
    agreement.evaluate(now, upToDate);
  }

  /** Stops as a server should. */
  void leave() {
    var lease = lease();
    if (lease != null) {
      server.objects().delete(LEASES, lease);
    }
    reporter.withdraw();
  }

  private @Nullable JsonObject lease() {
    return server.objects().readLatest(LEASES, IDENTITY.namespace(), identity.id().leaseName());
  }

  private void renew() {
    server
        .objects()
        .change(
            LEASES,
            IDENTITY.namespace(),
            identity.id().leaseName(),
            lease ->
                (lease == null ? newLease() : lease)
                    .withAt(Json.of(Timestamps.formatMicro(time.instant())), "spec", "renewTime"));
  }

  private JsonObject newLease() {
    return JsonObject.of(
        "apiVersion",
        "coordination.k8s.io/v1",
        "kind",
        "Lease",
        "metadata",
        JsonObject.of(
            "name",
            identity.id().leaseName(),
            "namespace",
            IDENTITY.namespace(),
            "labels",
            JsonObject.ofStrings(Map.of(IdentityLease.LABEL, IdentityLease.LABEL_VALUE)),
            "annotations",
            JsonObject.ofStrings(Map.of(IdentityLease.HASH, hash))),
        "spec",
        JsonObject.of("holderIdentity", id(), "leaseDurationSeconds", 3600));
  }

  List<String> rows() {
    return HashRows.read(server.objects().readLatest(HashRows.RESOURCE, "", HashRows.NAME)).stream()
        .map(Row::server)
        .toList();
  }

  @Override
  public void close() {
    server.close();
  }
}
