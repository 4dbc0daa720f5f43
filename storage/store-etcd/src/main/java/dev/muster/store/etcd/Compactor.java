package dev.muster.store.etcd;

import dev.muster.store.OutageLog;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compacts history that is older than one interval. All API servers on one etcd, kube-apiserver
 * included, elect the compacting server through one key. In each round, the server that first
 * overwrites the version that it last saw wins and compacts to the revision of the previous round.
 * A virtual thread runs each round.
 */
final class Compactor {
  /** kube-apiserver uses the same key, so it must not change. */
  private static final byte[] KEY = "compact_rev_key".getBytes(StandardCharsets.US_ASCII);

  private static final Logger LOG = LoggerFactory.getLogger(EtcdStore.class);

  private final EtcdClient client;
  private final BooleanSupplier mayRun;
  private final OutageLog outage = new OutageLog(LOG);
  private long round;
  private long revision;

  /**
   * @param mayRun whether the known revisions still belong to etcd's history
   */
  Compactor(EtcdClient client, BooleanSupplier mayRun) {
    this.client = client;
    this.mayRun = mayRun;
  }

  void start(ScheduledExecutorService timer, long intervalMillis) {
    timer.scheduleWithFixedDelay(
        () -> Thread.ofVirtual().name("etcd-compactor").start(this::run),
        0,
        intervalMillis,
        TimeUnit.MILLISECONDS);
  }

  private synchronized void run() {
    try {
      if (mayRun.getAsBoolean()) {
        runOnce();
        outage.ended("etcd's history is compacted again");
      }
    } catch (EtcdFailure failure) {
      outage.failed("etcd's history is compacted later: " + failure.getMessage());
    }
  }

  /** Runs one round; returns whether this server won it. */
  synchronized boolean runOnce() {
    var value = Long.toString(revision).getBytes(StandardCharsets.US_ASCII);
    var answer = EtcdClient.join(client.call(Method.TXN, EtcdRequests.election(KEY, round, value)));
    if (!answer.succeeded()) {
      round = answer.entries().isEmpty() ? 0 : answer.entries().getFirst().version();
      revision = answer.revision();
      return false;
    }
    round++;
    var compactTo = revision;
    revision = answer.revision();
    if (compactTo > 0) {
      compact(client, compactTo);
    }
    return true;
  }

  /** Compacts, unless that revision is already compacted. */
  static void compact(EtcdClient client, long revision) {
    try {
      client.callUntil(client.deadline(), Method.COMPACT, EtcdRequests.compact(revision));
    } catch (EtcdFailure failure) {
      if (failure.meaning() != EtcdFailure.Meaning.COMPACTED) {
        throw failure;
      }
    }
  }
}
