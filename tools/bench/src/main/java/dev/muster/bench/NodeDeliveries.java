package dev.muster.bench;

import dev.muster.bench.client.BenchFailure;
import dev.muster.bench.client.PreparedRequest;
import dev.muster.bench.client.Tally;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/** Safe for any thread: which changes were sent when, and which of them have arrived. */
final class NodeDeliveries implements NodeWatch.Owner {
  /** So many changes may be under way. */
  private static final int REMEMBERED = 1 << 19;

  private final NodePods pods;
  private final int watches;
  private final Tally tally = new Tally();
  private final AtomicInteger sent = new AtomicInteger();
  private final AtomicLong arrived = new AtomicLong();

  /** When a change was sent; 0 when its event has arrived. */
  private final AtomicLongArray sentAt = new AtomicLongArray(REMEMBERED);

  private final AtomicInteger opened = new AtomicInteger();
  private final CompletableFuture<@Nullable Void> allOpen = new CompletableFuture<>();
  private volatile boolean over;

  NodeDeliveries(NodePods pods, int watches) {
    this.pods = pods;
    this.watches = watches;
  }

  NodeWatch watch(int node) {
    return new NodeWatch(this, change -> arrived(change, node));
  }

  void awaitOpen(long time, TimeUnit unit) {
    try {
      allOpen.orTimeout(time, unit).join();
    } catch (CompletionException e) {
      var cause = e.getCause();
      throw new BenchFailure(
          cause instanceof TimeoutException
              ? "only " + opened.get() + " of " + watches + " watches opened in time"
              : "a watch failed: " + cause,
          e);
    }
  }

  /** The next change, whose time begins now. */
  PreparedRequest next() {
    int change = sent.getAndIncrement();
    var patch = pods.patch(change);
    sentAt.set(change % REMEMBERED, System.nanoTime());
    return patch;
  }

  private void arrived(int change, int node) {
    long now = System.nanoTime();
    if (node != pods.nodeOfChange(change)) {
      tally.error("change " + change + " arrived at node " + node);
      return;
    }
    long since = sentAt.getAndSet(change % REMEMBERED, 0);
    if (since == 0) {
      tally.error("change " + change + " arrived twice");
      return;
    }
    arrived.incrementAndGet();
    tally.success(now - since);
  }

  Tally tally() {
    return tally;
  }

  int sent() {
    return sent.get();
  }

  long arrived() {
    return arrived.get();
  }

  /** From now on watches may end. */
  void end() {
    over = true;
  }

  @Override
  public void opened() {
    if (opened.incrementAndGet() == watches) {
      allOpen.complete(null);
    }
  }

  @Override
  public void failed(String why) {
    if (!over) {
      tally.error(why);
      allOpen.completeExceptionally(new BenchFailure(why));
    }
  }
}
