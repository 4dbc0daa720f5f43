package dev.muster.fleet.discovery;

import dev.muster.fleet.TestClock;
import dev.muster.fleet.TestServer;
import dev.muster.model.json.JsonObject;
import dev.muster.store.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A fleet of which each server says what it serves: real replicas and writes, and a clock that the
 * test moves.
 */
final class AgreeingFleet implements AutoCloseable {
  static final Duration STEP = AgreementServer.STEP;
  private static final DiscoveryHashOptions OPTIONS = DiscoveryHashOptions.defaults();

  private final MemoryStore store = new MemoryStore();
  private final TestClock clock = TestClock.create();
  final List<Node> nodes = new ArrayList<>();

  /** One server of the fleet. */
  final class Node {
    private final AgreementServer part;
    final TestServer server;
    final Agreement agreement;
    final HashReporter reporter;
    private final Duration period;
    private Duration now = Duration.ZERO;
    boolean running = true;
    private boolean leased;

    Node(String hash, Duration skew) {
      this(hash, skew, OPTIONS.period());
    }

    Node(String hash, Duration skew, Duration period) {
      this.period = period;
      part = new AgreementServer(store, clock.skewed(skew), hash, period);
      server = part.server;
      agreement = part.agreement;
      reporter = part.reporter;
      nodes.add(this);
    }

    Node report() {
      part.report();
      return this;
    }

    void check(Duration elapsed) {
      now = now.plus(elapsed);
      part.check(now, now);
    }

    /** Time goes by in which the store is out of reach. */
    void lookBlindly(Duration elapsed) {
      var before = now;
      now = now.plus(elapsed);
      agreement.evaluate(now, before);
      now = before;
    }

    boolean consistent() {
      check(Duration.ZERO);
      return agreement.answer().orElseThrow();
    }

    /** Keeps an identity Lease from now on, renewed with every step. */
    Node withLease() {
      server.makeNamespace(AgreementServer.IDENTITY.namespace());
      server.createLease(part.lease(clock.instant()));
      leased = true;
      return this;
    }

    String id() {
      return part.id();
    }
  }

  @Override
  public void close() {
    nodes.forEach(node -> node.part.close());
    store.close();
  }

  Node node(String hash) {
    return new Node(hash, Duration.ZERO).report();
  }

  List<String> rows() {
    return nodes.getFirst().part.rows();
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
          renew(node, AgreementServer.IDENTITY.namespace(), node.part.leaseName());
        }
        node.check(Duration.ofSeconds(10));
        if (clock.instant().getEpochSecond() % node.period.toSeconds() == 0
            || node.part.mustReport()) {
          node.report();
        }
      }
    }
  }

  JsonObject oldServer() {
    return AgreementServer.lease(
        "kube-system", "apiserver-old", "apiserver-old_1", clock.instant());
  }

  void renewOldServer(Node through) {
    renew(through, "kube-system", "apiserver-old");
  }

  private void renew(Node through, String namespace, String name) {
    through.part.renew(namespace, name, clock.instant(), null);
  }
}
