package dev.muster.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.store.Commit;
import dev.muster.store.CommitResult;
import dev.muster.store.Feed;
import dev.muster.store.Operation;
import dev.muster.store.Store;
import dev.muster.store.StoreException;
import dev.muster.store.Transaction;
import dev.muster.testing.FollowContract;
import dev.muster.testing.StoreFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Several threads that create keys while a test breaks things, one that follows the log, and a
 * check at the end: what was acknowledged is in the log at that revision, what was said not to have
 * happened is not, the read index never went back behind an acknowledgement, and the log as it was
 * followed has no gap.
 */
final class TruthfulLoad implements AutoCloseable {
  private static final int WRITERS = 6;

  private final Store store;
  private final long base;
  private final Feed feed;
  private final List<Commit> followed = Collections.synchronizedList(new ArrayList<>());
  private final Map<String, Long> acknowledged = new ConcurrentHashMap<>();
  private final Map<String, StoreException> refused = new ConcurrentHashMap<>();
  private final Map<String, StoreException> unknown = new ConcurrentHashMap<>();
  private final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger names = new AtomicInteger();
  private final List<Thread> writers = new ArrayList<>();
  private final Thread follower;
  private volatile boolean stopping;
  private volatile boolean closing;

  TruthfulLoad(Store store) {
    this.store = store;
    base = StoreFixture.await(store.readIndex());
    feed = store.follow(base);
    follower = Thread.ofPlatform().start(this::follow);
    for (var i = 0; i < WRITERS; i++) {
      writers.add(Thread.ofPlatform().start(this::write));
    }
  }

  private void follow() {
    try {
      while (!closing) {
        followed.addAll(feed.take(Duration.ofMillis(100)));
      }
    } catch (InterruptedException | RuntimeException e) {
      failures.add(e);
    }
  }

  private void write() {
    try {
      while (!stopping) {
        var key = "/load/" + names.incrementAndGet();
        var put = new Operation.Put(key, StoreFixture.bytes(key), Operation.ABSENT);
        try {
          switch (store.commit(Transaction.of(put)).join()) {
            case CommitResult.Committed(var revision) -> {
              acknowledged.put(key, revision);
              checkReadIndex(revision);
            }
            case CommitResult.Unknown(var cause) -> unknown.put(key, cause);
            case CommitResult.Conflict conflict -> failures.add(new AssertionError(conflict));
          }
        } catch (CompletionException e) {
          if (e.getCause() instanceof StoreException failure) {
            refused.put(key, failure);
          } else {
            failures.add(e);
          }
        }
      }
    } catch (RuntimeException e) {
      failures.add(e);
    }
  }

  private void checkReadIndex(long revision) {
    try {
      var index = store.readIndex().join();
      if (index < revision) {
        failures.add(new AssertionError("read index " + index + " after " + revision));
      }
    } catch (CompletionException _) {
      // No answer is no wrong answer.
    }
  }

  /** Waits until that many further commits are acknowledged and followed. */
  void awaitCommits(int count) {
    awaitCommits(count, Duration.ofSeconds(60));
  }

  void awaitCommits(int count, Duration patience) {
    var target = acknowledged.size() + count;
    await().atMost(patience).until(() -> !failures.isEmpty() || acknowledged.size() >= target);
    var seen = followed.size() + 1;
    await().atMost(patience).until(() -> !failures.isEmpty() || followed.size() >= seen);
    assertThat(failures).isEmpty();
  }

  /** Waits until a commit was refused or its outcome unknown. */
  void awaitFailure() {
    var before = refused.size() + unknown.size();
    await().atMost(Duration.ofSeconds(60)).until(() -> refused.size() + unknown.size() > before);
  }

  boolean feedIsConnected() {
    return feed.connected();
  }

  void stopAndCheck() throws InterruptedException {
    stopping = true;
    for (var writer : writers) {
      writer.join(Duration.ofSeconds(60));
    }
    var last = StoreFixture.await(store.readIndex());
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> !failures.isEmpty() || followed.getLast().revision() >= last);
    assertThat(failures).isEmpty();
    FollowContract.assertNoGap(List.copyOf(followed), base, last);
    var logged = new HashMap<String, Long>();
    for (var commit : List.copyOf(followed)) {
      for (var change : commit.changes()) {
        assertThat(logged.put(change.key(), commit.revision())).as(change.key()).isNull();
      }
    }
    acknowledged.forEach(
        (key, revision) -> assertThat(logged).as("acknowledged").containsEntry(key, revision));
    refused.forEach((key, _) -> assertThat(logged).as("refused").doesNotContainKey(key));
    logged
        .keySet()
        .forEach(
            key -> assertThat(acknowledged.containsKey(key) || unknown.containsKey(key)).isTrue());
  }

  @Override
  public void close() {
    stopping = true;
    closing = true;
    feed.close();
    follower.interrupt();
  }
}
