package dev.muster.bench;

import dev.muster.bench.client.Api;
import dev.muster.bench.client.BenchConnection;
import dev.muster.bench.client.BenchFailure;
import dev.muster.bench.client.PacedLoad;
import dev.muster.bench.client.Tally;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What the kubelets of a large cluster do: each watches the pods of its own node, by {@code
 * spec.nodeName}, while the statuses of pods are patched at a fixed rate. A delivery is the time
 * from sending a patch to the event that the pod's own node receives; an event that does not arrive
 * is an error, and so is one that arrives twice or at another node.
 */
record NodeWatchScenario() implements Scenario {
  /** A client that has just connected may open so many streams. */
  private static final int STREAMS = 100;

  /** So many connections are opened at a time. */
  private static final int CONNECTING = 32;

  private static final long LAST_EVENTS_NANOS = TimeUnit.SECONDS.toNanos(60);

  @Override
  public String name() {
    return "kubelets";
  }

  @Override
  public String title() {
    return "pods' statuses, seen by their nodes";
  }

  @Override
  public Result run(BenchRun session) {
    var kubelets = session.options().kubelets();
    var pods = new NodePods(session, kubelets.nodes(), kubelets.pods());
    var deliveries = new NodeDeliveries(pods, kubelets.nodes());
    var connections = new ArrayList<BenchConnection>();
    try {
      pods.create();
      connect(session, connections);
      open(session, pods, deliveries, connections);
      return measure(session, deliveries);
    } finally {
      deliveries.end();
      connections.forEach(connection -> connection.eventLoop().execute(connection::closeNow));
      pods.delete();
    }
  }

  private static void connect(BenchRun session, List<BenchConnection> connections) {
    int nodes = session.options().kubelets().nodes();
    int least = (nodes + STREAMS - 1) / STREAMS;
    int count = Math.min(nodes, Math.max(least, session.options().watchConnections()));
    session.progress().show("kubelets: opening " + count + " connections");
    while (connections.size() < count) {
      var opening = new ArrayList<CompletableFuture<BenchConnection>>();
      for (int i = Math.min(CONNECTING, count - connections.size()); i > 0; i--) {
        opening.add(session.transport().connect());
      }
      try {
        opening.forEach(one -> connections.add(one.join()));
      } catch (CompletionException e) {
        throw new BenchFailure("cannot connect: " + e.getCause(), e);
      }
    }
  }

  private static void open(
      BenchRun session,
      NodePods pods,
      NodeDeliveries deliveries,
      List<BenchConnection> connections) {
    int nodes = session.options().kubelets().nodes();
    session.progress().show("kubelets: opening " + nodes + " watches");
    var version = Api.resourceVersion(session.api().expect(pods.list()));
    for (int i = 0; i < connections.size(); i++) {
      var connection = connections.get(i);
      int first = i;
      connection
          .eventLoop()
          .execute(
              () -> {
                for (int node = first; node < nodes; node += connections.size()) {
                  connection.send(pods.watch(node, version), deliveries.watch(node));
                }
                connection.flushNow();
              });
    }
    deliveries.awaitOpen(2, TimeUnit.MINUTES);
  }

  private Result measure(BenchRun session, NodeDeliveries deliveries) {
    var options = session.options();
    var answers = new Tally();
    var loads = new ArrayList<PacedLoad>();
    int rate = options.kubelets().rate();
    int lanes = Math.min(options.connections(), rate);
    try {
      for (int i = 0; i < lanes; i++) {
        loads.add(
            new PacedLoad(
                session.transport(),
                rate / (double) lanes,
                connection -> deliveries.next(),
                answer -> {},
                () -> 0,
                answers));
      }
      var measured = session.measure(this, deliveries.tally());
      loads.forEach(PacedLoad::stopSending);
      awaitLast(deliveries, answers);
      return completed(measured, deliveries, answers);
    } finally {
      loads.forEach(PacedLoad::close);
    }
  }

  /** What was sent before the end may take its time: it has to arrive all the same. */
  private static void awaitLast(NodeDeliveries deliveries, Tally answers) {
    long endsAt = System.nanoTime() + LAST_EVENTS_NANOS;
    while (missing(deliveries, answers) > 0 && System.nanoTime() < endsAt) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  /** A change that was refused has no event. */
  private static long missing(NodeDeliveries deliveries, Tally answers) {
    return Math.max(0, deliveries.sent() - answers.errors() - deliveries.arrived());
  }

  private static Result completed(Result measured, NodeDeliveries deliveries, Tally answers) {
    long missing = missing(deliveries, answers);
    var first = measured.firstError() != null ? measured.firstError() : answers.firstError();
    if (first == null && missing > 0) {
      first = missing + " events did not arrive within a minute";
    }
    return new Result(
        measured.scenario(),
        measured.title(),
        measured.requests(),
        measured.errors() + answers.errors() + missing,
        first,
        measured.seconds(),
        measured.latency(),
        measured.cpuMicrosPerRequest(),
        measured.residentBytes());
  }
}
