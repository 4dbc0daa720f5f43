package dev.muster.store.etcd;

import dev.muster.store.CommitResult;
import dev.muster.store.Feed;
import dev.muster.store.Image;
import dev.muster.store.Store;
import dev.muster.store.StoreException;
import dev.muster.store.Transaction;
import java.security.SecureRandom;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * Used by any thread; answers come from network threads. The log in etcd (3.4 or later), shared by
 * all API servers on it, kube-apiserver's included. Opening it does not wait for etcd; whoever
 * needs an answer does, and gets {@link StoreException.Unavailable} when none comes in time.
 */
public final class EtcdStore implements Store {
  private final EtcdClient client;
  private final EtcdKeys keys;
  private final CommitMarks marks;
  private final Leases leases;
  private final EtcdSpace space = new EtcdSpace();
  private final ReadIndex readIndex;
  private final ScheduledExecutorService timer;
  private final AtomicLong known = new AtomicLong();
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
    client.start(timer);
    readIndex = new ReadIndex(client, timer, known::get);
    if (!options.compactionInterval().isZero()) {
      new Compactor(client).start(timer, options.compactionInterval().toMillis());
    }
  }

  public static EtcdStore open(EtcdOptions options) {
    var random = new SecureRandom();
    return new EtcdStore(options, random, random.nextInt());
  }

  /** Opens it so that this one of the endpoints is asked first. */
  static EtcdStore open(EtcdOptions options, int firstMember) {
    return new EtcdStore(options, new SecureRandom(), firstMember);
  }

  /** Whether no member has answered for a while. */
  boolean isAway() {
    return client.isAway();
  }

  @Override
  public CompletableFuture<CommitResult> commit(Transaction transaction) {
    return closed
        ? CompletableFuture.failedFuture(new StoreException.Closed())
        : new EtcdCommit(client, marks, leases, keys, space, transaction).start();
  }

  @Override
  public CompletableFuture<Long> readIndex() {
    return closed ? CompletableFuture.failedFuture(new StoreException.Closed()) : readIndex.get();
  }

  @Override
  public Image image() {
    client.checkOpen();
    return EtcdImage.read(client, keys);
  }

  @Override
  public Feed follow(long afterRevision) {
    client.checkOpen();
    var feed =
        new EtcdFeed(
            client,
            timer,
            keys,
            afterRevision,
            revision -> known.accumulateAndGet(revision, Math::max),
            feeds::remove);
    feeds.add(feed);
    feed.connect();
    if (closed) {
      feed.close();
    }
    return feed;
  }

  @Override
  public void compact(long revision) {
    client.checkOpen();
    try {
      Compactor.compact(client, revision);
    } catch (EtcdFailure failure) {
      if (failure.meaning() == EtcdFailure.Meaning.FUTURE_REVISION) {
        throw new IllegalArgumentException("revision " + revision + " is in the future", failure);
      }
      throw failure.toStoreException();
    }
  }

  /** Asks etcd which revisions it still has, which takes some round trips. */
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
  public String trouble() {
    return space.trouble();
  }

  /** How the member that is asked at the moment is doing. */
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
    List.copyOf(feeds).forEach(EtcdFeed::close);
    marks.removeAll();
    timer.shutdownNow();
    client.close();
  }
}
