package dev.muster.store.etcd;

import dev.muster.store.CommitResult;
import dev.muster.store.Feed;
import dev.muster.store.Image;
import dev.muster.store.Store;
import dev.muster.store.StoreException;
import dev.muster.store.Transaction;
import java.security.SecureRandom;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.random.RandomGenerator;

/**
 * A store that keeps its log in etcd 3.4 or later. All API servers on that etcd share the log,
 * kube-apiserver included. Opening the store does not wait for etcd; a call waits, and fails with
 * {@link StoreException.Unavailable} when etcd does not answer in time. Thread-safe; network
 * threads complete the futures.
 */
public final class EtcdStore implements Store {
  private final EtcdClient client;
  private final EtcdKeys keys;
  private final CommitMarks marks;
  private final Leases leases;
  private final EtcdSpace space = new EtcdSpace();
  private final ReadIndex readIndex;
  private final ScheduledExecutorService timer;
  private final EtcdHistory history;
  private final Set<EtcdFeed> feeds = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  private EtcdStore(EtcdOptions options, RandomGenerator random, int firstMember) {
    client = new EtcdClient(options, firstMember);
    keys = new EtcdKeys(options.prefix());
    marks = new CommitMarks(client, random.nextLong());
    leases = new Leases(client);
    timer =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("etcd-timer").factory());
    history = new EtcdHistory(client, () -> !feeds.isEmpty(), this::replaced);
    client.start(timer, history::doubt);
    readIndex = new ReadIndex(client, timer, history);
    if (!options.compactionInterval().isZero()) {
      new Compactor(client, history::isTrusted)
          .start(timer, options.compactionInterval().toMillis());
    }
  }

  public static EtcdStore open(EtcdOptions options) {
    var random = new SecureRandom();
    return new EtcdStore(options, random, random.nextInt());
  }

  /** Opens the store and uses the endpoint with that index first. */
  static EtcdStore open(EtcdOptions options, int firstMember) {
    return new EtcdStore(options, new SecureRandom(), firstMember);
  }

  /** Whether no member has answered for a while. */
  boolean isAway() {
    return client.isAway();
  }

  @Override
  public CompletableFuture<CommitResult> commit(Transaction transaction) {
    if (closed) {
      return CompletableFuture.failedFuture(new StoreException.Closed());
    }
    var deadline = client.deadline();
    var doubts = history.doubts();
    return history
        .trusted(deadline)
        .thenCompose(
            _ -> new EtcdCommit(client, marks, leases, keys, space, history, transaction).start())
        .thenCompose(
            result ->
                history.doubts() == doubts
                    ? CompletableFuture.completedFuture(result)
                    : confirmed(result, deadline));
  }

  /**
   * Accepts an answer that came while the history was in doubt only if the history proves to be the
   * same.
   */
  private CompletableFuture<CommitResult> confirmed(CommitResult result, long deadline) {
    return history
        .trusted(deadline)
        .thenApply(_ -> result)
        .exceptionallyCompose(
            failure ->
                result instanceof CommitResult.Conflict
                    ? CompletableFuture.failedFuture(failure)
                    : CompletableFuture.completedFuture(
                        new CommitResult.Unknown(storeException(failure))));
  }

  private static StoreException storeException(Throwable failure) {
    var cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof StoreException known
        ? known
        : new StoreException.Unavailable("etcd: " + cause, cause);
  }

  @Override
  public CompletableFuture<Long> readIndex() {
    return closed
        ? CompletableFuture.failedFuture(new StoreException.Closed())
        : readIndex(client.deadline());
  }

  /** Accepts an answer only if the history has not come into doubt since the request. */
  private CompletableFuture<Long> readIndex(long deadline) {
    var doubts = history.doubts();
    if (history.isTrusted()) {
      var index = readIndex.get();
      if (index.state() == Future.State.SUCCESS && history.doubts() == doubts) {
        return index;
      }
      return index.thenCompose(revision -> confirmed(revision, doubts, deadline));
    }
    return history.trusted(deadline).thenCompose(_ -> readIndex(deadline));
  }

  private CompletableFuture<Long> confirmed(long revision, long doubts, long deadline) {
    if (history.doubts() == doubts) {
      return CompletableFuture.completedFuture(revision);
    }
    return System.nanoTime() - deadline < 0
        ? readIndex(deadline)
        : CompletableFuture.failedFuture(
            new StoreException.Unavailable("etcd loses connections again and again", null));
  }

  private void replaced(StoreException.Replaced reason) {
    feeds.forEach(feed -> feed.replaced(reason));
  }

  /** Waits until the history is not in doubt; throws when the history is replaced. */
  private void awaitTrusted() {
    try {
      history.trusted(client.deadline()).join();
    } catch (CompletionException e) {
      throw storeException(e);
    }
  }

  @Override
  public Image image() {
    client.checkOpen();
    history.checkMembers();
    var deadline = client.deadline();
    while (true) {
      awaitTrusted();
      var doubts = history.doubts();
      var image = EtcdImage.read(client, keys, history);
      if (history.doubts() == doubts) {
        history.began(image.revision(), image.newest());
        return image;
      }
      if (System.nanoTime() - deadline >= 0) {
        throw new StoreException.Unavailable(
            "etcd loses connections while all keys are read", null);
      }
    }
  }

  @Override
  public Feed follow(long afterRevision) {
    client.checkOpen();
    var replaced = history.replacement();
    if (replaced != null) {
      throw replaced;
    }
    var feed = new EtcdFeed(client, timer, keys, afterRevision, history, feeds::remove);
    feeds.add(feed);
    var since = history.replacement();
    if (since != null) {
      feed.replaced(since);
    }
    feed.connect();
    if (closed) {
      feed.close();
    }
    return feed;
  }

  @Override
  public void compact(long revision) {
    client.checkOpen();
    awaitTrusted();
    try {
      Compactor.compact(client, revision);
    } catch (EtcdFailure failure) {
      if (failure.meaning() == EtcdFailure.Meaning.FUTURE_REVISION) {
        throw new IllegalArgumentException("revision " + revision + " is in the future", failure);
      }
      throw failure.toStoreException();
    }
  }

  /** Asks etcd for the revisions that it still has, which takes several round trips. */
  @Override
  public long compactedRevision() {
    client.checkOpen();
    try {
      if (!isCompacted(1)) {
        return 0;
      }
      long compacted = 1;
      var kept =
          client.callUntil(client.deadline(), Method.RANGE, EtcdRequests.nothing(0)).revision();
      while (kept - compacted > 1) {
        var middle = compacted + (kept - compacted) / 2;
        if (isCompacted(middle)) {
          compacted = middle;
        } else {
          kept = middle;
        }
      }
      return kept;
    } catch (EtcdFailure failure) {
      throw failure.toStoreException();
    }
  }

  private boolean isCompacted(long revision) {
    try {
      client.callUntil(client.deadline(), Method.RANGE, EtcdRequests.nothing(revision));
      return false;
    } catch (EtcdFailure failure) {
      if (failure.meaning() == EtcdFailure.Meaning.COMPACTED) {
        return true;
      }
      throw failure;
    }
  }

  @Override
  public String prefix() {
    return keys.prefix();
  }

  @Override
  public String degradedReason() {
    return space.degradedReason();
  }

  @Override
  public CompletableFuture<OptionalLong> databaseBytes() {
    return status().thenApply(status -> OptionalLong.of(status.databaseBytes()));
  }

  /** The status of the current member. */
  public CompletableFuture<EtcdStatus> status() {
    return client
        .call(Method.STATUS, EtcdRequests.status())
        .exceptionallyCompose(
            e -> CompletableFuture.failedFuture(EtcdFailure.of(e).toStoreException()));
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    history.close();
    List.copyOf(feeds).forEach(EtcdFeed::close);
    marks.removeAll();
    timer.shutdownNow();
    client.close();
  }
}
