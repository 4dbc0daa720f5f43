package dev.muster.replica;

import dev.muster.replica.keyspace.KeySpace;
import dev.muster.replica.keyspace.KeySpaceDefinitions;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.store.Commit;
import dev.muster.store.OutageLog;
import dev.muster.store.Store;
import dev.muster.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads an image of the store, then applies the commits that follow it and publishes snapshots. One
 * thread runs it for the life of a replica. After a failure the last snapshot stays published; the
 * applier pauses, then resumes the feed, or loads a new image when the history is compacted.
 */
final class Applier implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Applier.class);
  private static final Duration PATIENCE = Duration.ofMillis(50);
  private static final int COMMITS_AT_ONCE = 128;
  private static final long TIDY_EVERY_MILLIS = 500;
  private static final long REVIEW_LABELS_EVERY_MILLIS = 600_000;
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

  private final Store store;
  private final KeySpace first;
  private final ReplicaOptions options;
  private final Decoding decoding;
  private final ClusterState state;
  private final StoreHealth contact;
  private final Consumer<Snapshot> publisher;
  private final Consumer<StoreException.Replaced> onReplaced;

  private final OutageLog outage = new OutageLog(LOG);
  private @Nullable Snapshot published;
  private boolean reload;
  private Duration pause = Duration.ZERO;
  private long tidiedAt;
  private long reviewedAt;

  private volatile boolean closed;
  private volatile boolean reloadAsked;
  private final AtomicLong reloads = new AtomicLong();

  Applier(
      Store store,
      KeySpace first,
      KeySpaceDefinitions definitions,
      ReplicaOptions options,
      StoreHealth contact,
      Consumer<Snapshot> publisher,
      Consumer<StoreException.Replaced> onReplaced) {
    this.store = store;
    this.first = first;
    this.options = options;
    this.decoding = new Decoding(first);
    this.contact = contact;
    this.publisher = publisher;
    this.onReplaced = onReplaced;
    this.state = new ClusterState(first, definitions, decoding, options);
  }

  long reloads() {
    return reloads.get();
  }

  long events() {
    return state.table().events();
  }

  long eventBytes() {
    return state.table().eventBytes();
  }

  /** Requests that the applier loads a new image soon. */
  void askReload() {
    reloadAsked = true;
  }

  /** Requests that the applier ends soon. */
  void close() {
    closed = true;
  }

  @Override
  public void run() {
    try {
      while (!closed) {
        try {
          follow();
        } catch (StoreException.Closed gone) {
          contact.lost("the store is closed");
          return;
        } catch (StoreException.Replaced replaced) {
          LOG.warn(
              "The replica stops at revision {}, and serves nothing of it any more: {}",
              state.revision(),
              replaced.getMessage());
          contact.lost(String.valueOf(replaced.getMessage()));
          onReplaced.accept(replaced);
          return;
        } catch (StoreException.Compacted compacted) {
          LOG.warn("The log after revision {} is gone, loading an image", state.revision());
          contact.lost("loading an image");
          reload = true;
        } catch (RuntimeException | Error trouble) {
          if (closed) {
            return;
          }
          // An error may have interrupted a change half-way, so the state needs a reload.
          reload |= trouble instanceof Error;
          complain(trouble);
          contact.lost(String.valueOf(trouble.getMessage()));
        }
        rest();
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    } finally {
      closed = true;
      contact.lost(contact.degradedReason().isEmpty() ? "closed" : contact.degradedReason());
    }
  }

  /**
   * Logs a lost store without a stack trace; logs any other failure, which may be a bug, with one.
   */
  private void complain(Throwable trouble) {
    switch (trouble) {
      case StoreException away ->
          outage.failed(
              "Lost the store at revision "
                  + state.revision()
                  + ", trying again: "
                  + away.getMessage());
      case StoreHealth.Stalled stalled ->
          outage.failed("Following the store anew: " + stalled.getMessage());
      default ->
          LOG.error("Lost the store at revision {}, trying again", state.revision(), trouble);
    }
  }

  /** Pauses before the next attempt, each time longer. */
  private void rest() throws InterruptedException {
    Thread.sleep(pause);
    var longer = pause.multipliedBy(2).plusMillis(20);
    pause = longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer;
  }

  private void follow() throws InterruptedException {
    if (published == null || reload) {
      load();
    }
    try (var feed = store.follow(state.revision())) {
      while (!closed && !reloadAsked) {
        var commits = feed.take(PATIENCE);
        apply(commits);
        boolean connected = feed.connected();
        contact.check(connected, state.revision(), !commits.isEmpty());
        if (connected) {
          outage.ended("Following the store at revision " + state.revision());
          pause = Duration.ZERO;
        }
        tidy();
      }
    }
    if (reloadAsked) {
      reloadAsked = false;
      reload = true;
    }
  }

  private void load() throws InterruptedException {
    long start = System.nanoTime();
    try (var image = store.image()) {
      if (image.revision() < state.revision()) {
        throw StoreHealth.wentBack(state.revision(), image.revision());
      }
      var loaded =
          LoadedImage.read(image, first, state::keySpaceOf, decoding, published, options.loaders());
      if (published == null) {
        state.load(loaded);
      } else {
        state.reload(loaded);
        reloads.incrementAndGet();
      }
    }
    reload = false;
    var snapshot = publish();
    LOG.info(
        "Loaded {} objects at revision {} in {} ms",
        snapshot.objects(),
        snapshot.revision(),
        (System.nanoTime() - start) / 1_000_000);
  }

  private void apply(List<Commit> commits) {
    int waiting = 0;
    for (var commit : commits) {
      if (commit.revision() != state.revision() + 1) {
        reload = true;
        throw new IllegalStateException(
            "the log went on with revision " + commit.revision() + " after " + state.revision());
      }
      state.apply(commit);
      if (++waiting == COMMITS_AT_ONCE) {
        publish();
        waiting = 0;
      }
    }
    if (waiting > 0) {
      publish();
    }
  }

  private Snapshot publish() {
    var snapshot = state.snapshot();
    published = snapshot;
    publisher.accept(snapshot);
    return snapshot;
  }

  private void tidy() {
    long now = options.clock().millis();
    if (now - tidiedAt < TIDY_EVERY_MILLIS) {
      return;
    }
    tidiedAt = now;
    state.table().trim();
    boolean review = now - reviewedAt >= REVIEW_LABELS_EVERY_MILLIS;
    reviewedAt = review ? now : reviewedAt;
    if (state.table().indexLabels(review)) {
      publish();
    }
  }
}
