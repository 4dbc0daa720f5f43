package dev.muster.store.etcd;

import dev.muster.store.StoreException;
import dev.muster.store.etcd.HistoryRecord.Evidence;
import dev.muster.store.etcd.HistoryRecord.KeyState;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks whether etcd still has the history that this store follows. Thread-safe.
 *
 * <p>A lost connection puts the history in doubt. It stays in doubt until etcd confirms the changes
 * of the newest known revisions. Meanwhile the store sends no requests and accepts no answers. Any
 * of these findings is final:
 *
 * <ul>
 *   <li>a lower revision than before;
 *   <li>another cluster ID;
 *   <li>another change at a known revision;
 *   <li>etcd has compacted all known revisions, so nothing can prove that the history is the same.
 * </ul>
 */
final class EtcdHistory {
  private static final Logger LOG = LoggerFactory.getLogger(EtcdStore.class);
  private static final long SHORTEST_REST_MILLIS = 20;
  private static final long LONGEST_REST_MILLIS = 500;

  private final EtcdClient client;
  private final BooleanSupplier followed;
  private final Consumer<StoreException.Replaced> onReplaced;
  private final HistoryRecord record = new HistoryRecord();
  private final AtomicLong clusterId = new AtomicLong();
  private final AtomicLong highest = new AtomicLong();
  private final AtomicLong doubts = new AtomicLong();
  private volatile StoreException.@Nullable Replaced replacement;

  /** Completes when etcd has proven that the history is the same. Guarded by this. */
  private volatile @Nullable CompletableFuture<Void> proof;

  private volatile boolean closed;

  /**
   * @param followed whether a feed continues from the known revisions
   * @param onReplaced called once when the history turns out to be replaced
   */
  EtcdHistory(
      EtcdClient client, BooleanSupplier followed, Consumer<StoreException.Replaced> onReplaced) {
    this.client = client;
    this.followed = followed;
    this.onReplaced = onReplaced;
  }

  /** The highest known committed revision. No later answer may be below it. */
  long highest() {
    return highest.get();
  }

  /** The number of times that the history came into doubt. Answers given meanwhile do not count. */
  long doubts() {
    return doubts.get();
  }

  /** The reason why the history counts as replaced; null when it does not. */
  StoreException.@Nullable Replaced replacement() {
    return replacement;
  }

  /**
   * Checks the header of a linearizable answer.
   *
   * @param least the value of {@link #highest} when the request was sent
   */
  void heard(Responses.Header header, long least) {
    heardFrom(header);
    if (header.revision() < least) {
      replaced(
          "it went back from revision %d to %d, as a restored backup does"
              .formatted(least, header.revision()));
    } else {
      highest.accumulateAndGet(header.revision(), Math::max);
    }
  }

  /** Checks the header of any answer, whether or not it is linearizable. */
  void heardFrom(Responses.Header header) {
    var id = header.clusterId();
    if (id != 0 && clusterId.get() != id && !clusterId.compareAndSet(0, id)) {
      replaced(
          "cluster %s answers instead of cluster %s: it was restored from a backup, or the endpoints"
                  .formatted(Long.toHexString(id), Long.toHexString(clusterId.get()))
              + " belong to several clusters");
    }
  }

  /** Records that the store has read an image. */
  void began(long revision, Collection<KeyState> newest) {
    record.begin(revision, newest);
    highest.accumulateAndGet(revision, Math::max);
  }

  /** Records a revision from a watch; returns false when the history is replaced. */
  boolean followed(long revision, List<Responses.Event> events) {
    if (!record.add(revision, events)) {
      replaced("revision " + revision + " does not hold what it held");
      return false;
    }
    highest.accumulateAndGet(revision, Math::max);
    return replacement == null;
  }

  /** Checks a known revision at which a watch started but which the watch does not show. */
  boolean passedOver(long revision) {
    if (record.hasWritten(revision)) {
      replaced("revision " + revision + " does not hold what it held");
    }
    return replacement == null;
  }

  /** An interrupted watch cannot resume, because all known revisions are compacted. */
  StoreException.Replaced unprovable(long compacted) {
    return replaced(
        ("perhaps, for it is compacted up to revision %d and was followed up to revision %d:"
                + " whether that is the same history cannot be told")
            .formatted(compacted, record.evidence().revision()));
  }

  /** Marks the history as replaced, for good. */
  private StoreException.Replaced replaced(String why) {
    CompletableFuture<Void> waiting;
    StoreException.Replaced reason;
    synchronized (this) {
      var known = replacement;
      if (known != null) {
        return known;
      }
      reason = new StoreException.Replaced("etcd's history was replaced: " + why);
      replacement = reason;
      doubts.incrementAndGet();
      waiting = proof;
      proof = null;
    }
    LOG.error(
        "{}. Nothing that was read from it counts any more; the API server reads everything anew"
            + " and ends all watches. Restart every other program that remembers revisions, such as"
            + " a kube-apiserver on this etcd, and restore with --bump-revision and"
            + " --mark-compacted, so that clients cannot take revisions of one history for those of"
            + " the other",
        reason.getMessage());
    if (waiting != null) {
      waiting.completeExceptionally(reason);
    }
    onReplaced.accept(reason);
    return reason;
  }

  /** A connection was lost or is new: etcd must prove that its history is the same. */
  void doubt() {
    synchronized (this) {
      doubts.incrementAndGet();
      if (highest.get() == 0 || proof != null || replacement != null || closed) {
        return;
      }
      proof = new CompletableFuture<>();
    }
    Thread.ofVirtual().name("etcd-history").start(this::prove);
  }

  private void prove() {
    var rest = SHORTEST_REST_MILLIS;
    while (!closed && replacement == null) {
      var before = doubts.get();
      if (isProven() && settle(before)) {
        return;
      }
      try {
        Thread.sleep(rest);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
      rest = Math.min(rest * 2, LONGEST_REST_MILLIS);
    }
  }

  /** Ends the doubt, unless a newer doubt has begun. */
  private boolean settle(long before) {
    CompletableFuture<Void> waiting;
    synchronized (this) {
      if (doubts.get() != before) {
        return false;
      }
      waiting = proof;
      proof = null;
    }
    if (waiting != null) {
      waiting.complete(null);
    }
    return true;
  }

  private boolean isProven() {
    var evidence = record.evidence();
    var least = highest.get();
    try {
      return evidence.keys().isEmpty() ? isAsHigh(least) : holds(evidence, least);
    } catch (RuntimeException failure) {
      switch (EtcdFailure.of(failure).meaning()) {
        case FUTURE_REVISION -> isAsHigh(least);
        case COMPACTED -> {
          // A feed may bring a later revision meanwhile, and its state can then serve as the proof.
          if (!followed.getAsBoolean()) {
            unprovable(evidence.revision());
          }
        }
        case NOT_DONE, IN_DOUBT, TOO_LARGE, LEASE_GONE, NO_SPACE, NOT_AUTHENTICATED, DENIED -> {}
      }
      return false;
    }
  }

  private boolean isAsHigh(long least) {
    try {
      var answer = EtcdClient.join(client.call(Method.RANGE, EtcdRequests.nothing(0)));
      heard(answer.header(), least);
      return replacement == null;
    } catch (RuntimeException _) {
      return false;
    }
  }

  private boolean holds(Evidence evidence, long least) {
    var reads =
        evidence.keys().stream()
            .<EtcdRequests.Step>map(
                key -> new EtcdRequests.Step.GetAt(key.key(), evidence.revision()))
            .toList();
    var answer =
        EtcdClient.join(
            client.call(Method.TXN, EtcdRequests.transaction(List.of(), reads, List.of())));
    heard(answer.header(), least);
    if (!evidence.holds(answer.entries())) {
      replaced(
          "revision " + evidence.revision() + " and those before it do not hold what they held");
    }
    return replacement == null;
  }

  /** Whether the history is neither in doubt nor replaced. */
  boolean isTrusted() {
    return proof == null && replacement == null;
  }

  /**
   * Completes when etcd has proven that its history is the same.
   *
   * @return a future that fails with a {@link StoreException} when the history is replaced, or when
   *     etcd gives no proof in time
   */
  CompletableFuture<Void> trusted(long deadlineNanos) {
    var reason = replacement;
    if (reason != null) {
      return CompletableFuture.failedFuture(reason);
    }
    var waiting = proof;
    if (waiting == null) {
      return CompletableFuture.completedFuture(null);
    }
    return waiting
        .copy()
        .orTimeout(Math.max(1, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS)
        .exceptionallyCompose(
            failure ->
                CompletableFuture.failedFuture(
                    failure instanceof TimeoutException
                        ? new StoreException.Unavailable(
                            "etcd has not answered since the connection was lost", failure)
                        : failure));
  }

  /**
   * Checks the cluster ID of every member that answers, before the first read.
   *
   * @throws StoreException.Unusable when the members belong to several clusters
   */
  void checkMembers() {
    if (clusterId.get() != 0) {
      return;
    }
    var ids = client.clusterIds();
    if (Set.copyOf(ids.values()).size() > 1) {
      throw new StoreException.Unusable(
          "the endpoints belong to several etcd clusters: "
              + ids.entrySet().stream()
                  .map(entry -> entry.getKey() + " to " + Long.toHexString(entry.getValue()))
                  .collect(Collectors.joining(", ")),
          null);
    }
  }

  /** Ends all waits. */
  void close() {
    CompletableFuture<Void> waiting;
    synchronized (this) {
      closed = true;
      waiting = proof;
    }
    if (waiting != null) {
      waiting.completeExceptionally(new StoreException.Closed());
    }
  }
}
