package dev.muster.fleet.discovery;

import static org.awaitility.Awaitility.await;

import dev.muster.fleet.TestClock;
import dev.muster.fleet.TestServer;
import dev.muster.fleet.identity.FleetMembers;
import dev.muster.fleet.identity.IdentityLease;
import dev.muster.fleet.identity.IdentityOptions;
import dev.muster.fleet.identity.ServerIdentity;
import dev.muster.fleet.observation.ObservedTime;
import dev.muster.model.GroupVersionResource;
import dev.muster.model.Timestamps;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.store.MemoryStore;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A fleet of which each server says what it serves: real replicas and writes, and a clock that the
 * test moves.
 */
final class AgreeingFleet implements AutoCloseable {
  static final Duration STEP = Duration.ofSeconds(10);
  private static final DiscoveryHashOptions OPTIONS = DiscoveryHashOptions.defaults();
  private static final IdentityOptions IDENTITY = IdentityOptions.defaults();

  static final GroupVersionResource LEASES =
      new GroupVersionResource("coordination.k8s.io", "v1", "leases");

  private final MemoryStore store = new MemoryStore();
  private final TestClock clock = TestClock.create();
  final List<Node> nodes = new ArrayList<>();

  /** One server of the fleet. */
  final class Node {
    final TestServer server;
    private final ServerIdentity identity = ServerIdentity.create();
    final Agreement agreement;
    final HashReporter reporter;
    private final Clock time;
    private final String hash;
    private final Duration period;
    private Duration now = Duration.ZERO;
    boolean running = true;
    private boolean leased;

    Node(String hash, Duration skew) {
      this(hash, skew, OPTIONS.period());
    }

    Node(String hash, Duration skew, Duration period) {
      this.hash = hash;
      this.period = period;
      time = clock.skewed(skew);
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
      nodes.add(this);
    }

    Node report() {
      reporter.report(identity.id());
      return this;
    }

    void look(Duration elapsed) {
      server.leases("default");
      // Mostly it is, and to wait starts a thread each time.
      if (!server.replica().ready()) {
        await().pollInterval(Duration.ofMillis(2)).until(server.replica()::ready);
      }
      now = now.plus(elapsed);
      agreement.evaluate(now, now);
    }

    /** Time goes by in which the store is out of reach. */
    void lookBlindly(Duration elapsed) {
      var before = now;
      now = now.plus(elapsed);
      agreement.evaluate(now, before);
      now = before;
    }

    boolean consistent() {
      look(Duration.ZERO);
      return agreement.answer().orElseThrow();
    }

    /** Keeps an identity Lease from now on, renewed with every step. */
    Node withLease() {
      server.makeNamespace(IDENTITY.namespace());
      server.createLease(
          lease(IDENTITY.namespace(), identity.id().leaseName(), id())
              .withAt(Json.of(hash), "metadata", "annotations", IdentityLease.HASH));
      leased = true;
      return this;
    }

    String id() {
      return identity.id().toString();
    }
  }

  @Override
  public void close() {
    nodes.forEach(node -> node.server.close());
    store.close();
  }

  Node node(String hash) {
    return new Node(hash, Duration.ZERO).report();
  }

  List<String> rows() {
    return HashRows.read(
            nodes.getFirst().server.objects().readLatest(HashRows.RESOURCE, "", HashRows.NAME))
        .stream()
        .map(HashRows.Row::server)
        .toList();
  }

  /** Time goes by in steps of ten seconds; those who run look, and report every five minutes. */
  void pass(Duration time) {
    for (long i = 0; i < time.toSeconds() / 10; i++) {
      clock.advance(Duration.ofSeconds(10));
      for (var node : nodes) {
        if (!node.running) {
          continue;
        }
        if (node.leased) {
          renew(node, IDENTITY.namespace(), node.identity.id().leaseName());
        }
        node.look(Duration.ofSeconds(10));
        if (clock.instant().getEpochSecond() % node.period.toSeconds() == 0
            || !node.agreement.gone().isEmpty()
            || !node.agreement.verdict().joined()) {
          node.report();
        }
      }
    }
  }

  JsonObject oldServer() {
    return lease("kube-system", "apiserver-old", "apiserver-old_1");
  }

  private JsonObject lease(String namespace, String name, String holder) {
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
            Timestamps.formatMicro(clock.instant())));
  }

  void renewOldServer(Node through) {
    renew(through, "kube-system", "apiserver-old");
  }

  private void renew(Node through, String namespace, String name) {
    through
        .server
        .objects()
        .change(
            LEASES,
            namespace,
            name,
            lease ->
                lease == null
                    ? null
                    : lease.withAt(
                        Json.of(Timestamps.formatMicro(clock.instant())), "spec", "renewTime"));
  }
}
