package dev.muster.fleet.discovery;

import static org.awaitility.Awaitility.await;

import dev.muster.store.Store;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/** A server of a simulated fleet, which does in one step what a real one does in ten seconds. */
final class SimulatedServer implements AutoCloseable {
  static final Duration STEP = AgreementServer.STEP;

  private final AgreementServer server;
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
    server = new AgreementServer(store, time, hash, period);
    server.server.makeNamespace(AgreementServer.IDENTITY.namespace());
    server.report();
    renew();
  }

  String id() {
    return server.id();
  }

  boolean connected() {
    return !cut;
  }

  void cut() {
    cut = true;
    server.server.link().cut();
    await().until(() -> !server.server.replica().ready());
  }

  void mend() {
    cut = false;
    server.server.link().mend();
    await().until(server.server.replica()::ready);
  }

  /** What its discovery documents say now. */
  boolean consistent() {
    return server.agreement.answer().orElseThrow();
  }

  /** Ten seconds go by. */
  void step() {
    now = now.plus(STEP);
    if (paused) {
      return;
    }
    if (cut) {
      server.agreement.evaluate(now, upToDate);
      return;
    }
    upToDate = now;
    renew();
    server.check(now, upToDate);
    sinceReport++;
    if (server.mustReport() || sinceReport * STEP.toSeconds() >= period.toSeconds()) {
      server.report();
      sinceReport = 0;
    }
  }

  /** Stops as a server should. */
  void leave() {
    var lease = server.storedLease();
    if (lease != null) {
      server.server.objects().delete(AgreementServer.LEASES, lease);
    }
    server.reporter.withdraw();
  }

  private void renew() {
    var now = time.instant();
    server.renew(AgreementServer.IDENTITY.namespace(), server.leaseName(), now, server.lease(now));
  }

  List<String> rows() {
    return server.rows();
  }

  @Override
  public void close() {
    server.close();
  }
}
