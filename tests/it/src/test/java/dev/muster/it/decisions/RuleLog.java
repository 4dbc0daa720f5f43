package dev.muster.it.decisions;

import static org.awaitility.Awaitility.await;

import dev.muster.store.Feed;
import dev.muster.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Filled by a thread of its own, read by any. What the store itself says about the rules, in its
 * order.
 */
final class RuleLog implements AutoCloseable {
  /** A rule came or went. */
  record Entry(long revision, Rule rule, boolean there) {}

  private final Feed feed;
  private final Thread reader;
  private final List<Entry> entries = new ArrayList<>();
  private volatile long revision;
  private volatile boolean closed;

  /** Follows from now on. */
  RuleLog(Store store) {
    feed = store.follow(store.readIndex().join());
    reader = Thread.ofVirtual().name("rule log").start(this::read);
  }

  private void read() {
    try {
      while (!closed) {
        for (var commit : feed.take(Duration.ofMillis(200))) {
          for (var change : commit.changes()) {
            for (var rule : Rule.values()) {
              if (change.key().equals(rule.key())) {
                add(new Entry(commit.revision(), rule, change.value() != null));
              }
            }
          }
          revision = commit.revision();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void add(Entry entry) {
    entries.add(entry);
  }

  /** All there was up to a revision. */
  List<Entry> upTo(long last) {
    await().atMost(Duration.ofSeconds(60)).until(() -> revision >= last);
    synchronized (this) {
      return List.copyOf(entries);
    }
  }

  @Override
  public void close() {
    closed = true;
    try {
      reader.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    feed.close();
  }
}
