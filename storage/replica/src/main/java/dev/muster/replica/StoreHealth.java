package dev.muster.replica;

import dev.muster.store.Store;
import dev.muster.store.StoreException;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides whether the store is reachable and the replica keeps up with it. Asks the store for its
 * revision when a connection begins and then every second. Only the applier thread changes it; any
 * thread may read its results.
 */
final class StoreHealth {
  private static final Logger LOG = LoggerFactory.getLogger(StoreHealth.class);
  private static final long ASK_EVERY_MILLIS = 1_000;
  private static final long BELIEVE_AFTER_MILLIS = 2_000;

  /** Commits up to a known revision did not arrive within the stall timeout. */
  static final class Stalled extends RuntimeException {
    Stalled(String message) {
      super(message);
    }
  }

  /** The store's revision went back, so the store has replaced history. */
  static StoreException.Replaced wentBack(long from, long to) {
    var why =
        "the store's history was replaced: it went back from revision "
            + from
            + " to "
            + to
            + ", as a restored backup does";
    LOG.error("{}. Everything has to be read anew: start the API server again", why);
    return new StoreException.Replaced(why);
  }

  private final Store store;
  private final InstantSource clock;
  private final long patience;

  private @Nullable CompletableFuture<Long> question;
  private long questionApplied;
  private long askedAt;
  private boolean connected;
  private boolean caughtUp;
  private long target = Long.MAX_VALUE;
  private long behindSince;
  private long wentBackSince;

  private volatile boolean ready;
  private volatile long storeRevision;
  private volatile long heardAt;
  private volatile String trouble = "not connected yet";

  StoreHealth(Store store, InstantSource clock, long patienceMillis) {
    this.store = store;
    this.clock = clock;
    this.patience = patienceMillis;
    this.heardAt = clock.millis();
  }

  boolean ready() {
    return ready;
  }

  long storeRevision() {
    return storeRevision;
  }

  long silenceMillis() {
    return Math.max(0, clock.millis() - heardAt);
  }

  String degradedReason() {
    return trouble;
  }

  /** Records that the connection to the store is lost. */
  void lost(String why) {
    connected = false;
    caughtUp = false;
    target = Long.MAX_VALUE;
    question = null;
    trouble = why;
    ready = false;
  }

  /**
   * Evaluates contact and progress.
   *
   * @param feeding whether the feed reports a connection
   * @param applied the published revision
   * @param news whether commits have just arrived
   */
  void check(boolean feeding, long applied, boolean news) {
    long now = clock.millis();
    if (news) {
      heardAt = now;
      storeRevision = Math.max(storeRevision, applied);
    }
    if (!feeding) {
      if (connected || ready) {
        lost("no connection to the store");
      }
      return;
    }
    if (!connected) {
      connected = true;
      behindSince = now;
      ask(now, applied);
    } else if (now - askedAt >= (question == null ? ASK_EVERY_MILLIS : 2 * patience)) {
      ask(now, applied);
    }
    hear(now);
    evaluate(now, applied);
  }

  private void ask(long now, long applied) {
    askedAt = now;
    questionApplied = applied;
    question = store.readIndex();
  }

  private void hear(long now) {
    var open = question;
    if (open == null || !open.isDone()) {
      return;
    }
    question = null;
    try {
      long index = open.join();
      heardAt = now;
      if (index < questionApplied) {
        // A feed may bring a commit a moment before the store counts it as its latest.
        wentBackSince = wentBackSince == 0 ? now : wentBackSince;
        if (now - wentBackSince >= BELIEVE_AFTER_MILLIS) {
          throw wentBack(questionApplied, index);
        }
        return;
      }
      wentBackSince = 0;
      storeRevision = Math.max(storeRevision, index);
      target = index;
    } catch (CompletionException failed) {
      switch (failed.getCause()) {
        case StoreException.Closed closed -> throw closed;
        case StoreException.Replaced replaced -> throw replaced;
        case null, default -> {}
      }
      caughtUp = false;
      trouble = "the store does not answer: " + failed.getCause();
      ready = false;
    }
  }

  private void evaluate(long now, long applied) {
    if (applied >= target) {
      caughtUp = true;
      behindSince = now;
      target = Math.min(target, applied);
    } else if (target != Long.MAX_VALUE && now - behindSince >= patience) {
      throw new Stalled(
          "revision " + target + " is known and has not arrived, " + applied + " has");
    }
    boolean answering = question == null || now - askedAt < patience;
    if (caughtUp && answering) {
      trouble = "";
      ready = true;
    } else {
      if (!answering) {
        trouble = "the store has not answered for " + (now - askedAt) + " ms";
      } else if (target != Long.MAX_VALUE) {
        trouble = "catching up to revision " + target;
      }
      ready = false;
    }
  }
}
