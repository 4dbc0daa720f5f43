package dev.muster.testing;

import static dev.muster.testing.StoreFixture.changes;
import static dev.muster.testing.StoreFixture.takeUntil;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.muster.store.Commit;
import dev.muster.store.Operation;
import dev.muster.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** The contract of feeds: every commit once, in order, from any revision that is not compacted. */
public interface FollowContract extends StoreFixture {

  @Test
  default void followsEveryCommitInOrder() throws Exception {
    var base = latest();
    var a = committed(create("/a", "1"));
    committed(put("/a", "2", a));
    committed(create("/b", "1"), new Operation.Delete("/a", Operation.ANY));
    var last = committed(new Operation.Delete("/b", Operation.ANY));

    try (var feed = store().follow(base)) {
      var commits = takeUntil(feed, last);
      assertNoGap(commits, base, last);
      assertThat(changes(commits))
          .containsExactlyInAnyOrder("/a=1", "/a=2", "/b=1", "/a deleted", "/b deleted");
      assertThat(changes(commits)).startsWith("/a=1", "/a=2").endsWith("/b deleted");
    }
  }

  @Test
  default void resumesAfterAnyRevision() throws Exception {
    var base = latest();
    long last = base;
    for (var i = 0; i < 12; i++) {
      last = committed(set("/key" + i % 3, "" + i));
    }
    List<Commit> all;
    try (var feed = store().follow(base)) {
      all = takeUntil(feed, last);
    }
    assertNoGap(all, base, last);
    for (var after = base; after < last; after++) {
      var position = after;
      try (var feed = store().follow(after)) {
        var commits = takeUntil(feed, last);
        assertNoGap(commits, after, last);
        assertThat(changes(commits))
            .isEqualTo(changes(all.stream().filter(c -> c.revision() > position).toList()));
      }
    }
  }

  @Test
  default void resumesAfterReopening() throws Exception {
    assumeTrue(durable());
    var base = latest();
    var first = committed(set("/a", "1"));
    committed(set("/a", "2"));

    reopen();

    var last = committed(set("/a", "3"));
    try (var feed = store().follow(base)) {
      var commits = takeUntil(feed, last);
      assertNoGap(commits, base, last);
      assertThat(changes(commits)).containsExactly("/a=1", "/a=2", "/a=3");
    }
    try (var feed = store().follow(first)) {
      assertThat(changes(takeUntil(feed, last))).containsExactly("/a=2", "/a=3");
    }
  }

  @Test
  default void waitsForCommitsThatAreStillToCome() throws Exception {
    try (var feed = store().follow(latest())) {
      assertThat(feed.take(Duration.ofMillis(30))).isEmpty();
      var revision = committed(set("/a", "1"));
      assertThat(changes(takeUntil(feed, revision))).containsExactly("/a=1");
      assertThat(feed.connected()).isTrue();
      assertThat(changes(feed.take(Duration.ofMillis(30)))).isEmpty();
    }
  }

  @Test
  default void everyFollowerSeesTheSameCommitsOfConcurrentWriters() throws Exception {
    var base = latest();
    try (var early = store().follow(base);
        var threads = Executors.newCachedThreadPool()) {
      var writers = new ArrayList<Callable<Long>>();
      for (var writer = 0; writer < 8; writer++) {
        var key = "/writer" + writer;
        writers.add(
            () -> {
              long revision = 0;
              for (var i = 0; i < 50; i++) {
                revision = committed(set(key, "" + i));
              }
              return revision;
            });
      }
      long last = 0;
      for (var writer : threads.invokeAll(writers)) {
        last = Math.max(last, writer.get());
      }
      var seen = takeUntil(early, last);
      assertNoGap(seen, base, last);
      assertThat(changes(seen)).hasSize(400);
      try (var late = store().follow(base)) {
        assertThat(changes(takeUntil(late, last))).isEqualTo(changes(seen));
      }
    }
  }

  @Test
  default void anImageAndTheFeedAfterItAreTheWholeState() throws Exception {
    try (var threads = Executors.newCachedThreadPool()) {
      var writer =
          threads.submit(
              () -> {
                long revision = 0;
                for (var i = 0; i < 300; i++) {
                  revision =
                      i % 5 == 4
                          ? committed(new Operation.Delete("/key" + (i - 1) % 40, Operation.ANY))
                          : committed(set("/key" + i % 40, "" + i));
                }
                return revision;
              });
      var state = new TreeMap<String, String>();
      long imageRevision;
      try (var image = store().image()) {
        imageRevision = image.revision();
        var previous = "";
        for (var entry : image) {
          assertThat(entry.key()).isGreaterThan(previous);
          assertThat(entry.modRevision()).isLessThanOrEqualTo(imageRevision);
          previous = entry.key();
          state.put(entry.key(), StoreFixture.text(entry.value()));
        }
      }
      var last = writer.get();
      try (var feed = store().follow(imageRevision)) {
        if (last > imageRevision) {
          for (var commit : takeUntil(feed, last)) {
            for (var change : commit.changes()) {
              if (change.isDelete()) {
                state.remove(change.key());
              } else {
                state.put(change.key(), StoreFixture.text(change.value()));
              }
            }
          }
        }
      }
      assertThat(state).isEqualTo(state());
    }
  }

  @Test
  default void forgetsCompactedHistoryButNoState() throws Exception {
    var base = latest();
    committed(set("/a", "1"));
    var compacted = committed(set("/b", "1"));
    var last = committed(set("/a", "2"));

    store().compact(compacted);

    assertThat(store().compactedRevision()).isEqualTo(compacted);
    for (var after = base; after < compacted; after++) {
      assertCompacted(after, compacted);
    }
    try (var feed = store().follow(compacted)) {
      var commits = takeUntil(feed, last);
      assertNoGap(commits, compacted, last);
      assertThat(changes(commits)).containsExactly("/a=2");
    }
    assertThat(state()).containsEntry("/a", "2").containsEntry("/b", "1");
    store().compact(compacted);
    store().compact(compacted - 1);
    assertThat(store().compactedRevision()).isEqualTo(compacted);
    assertThatThrownBy(() -> store().compact(latest() + 1000))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  default void rememberWhatIsCompactedAfterReopening() throws Exception {
    assumeTrue(durable());
    var base = latest();
    var last = committed(set("/a", "1"));
    store().compact(last);

    reopen();

    assertThat(latest()).isGreaterThanOrEqualTo(last);
    assertCompacted(base, last);
    var next = committed(set("/a", "2"));
    assertThat(next).isGreaterThan(last);
    try (var feed = store().follow(last)) {
      assertThat(changes(takeUntil(feed, next))).containsExactly("/a=2");
    }
  }

  @Test
  default void aFeedThatFellBehindCompactionSaysSoOrMissesNothing() throws Exception {
    var base = latest();
    try (var feed = store().follow(base)) {
      var last = base;
      for (var i = 0; i < 50; i++) {
        last = committed(set("/a", "" + i));
      }
      store().compact(last);
      try {
        assertNoGap(takeUntil(feed, last), base, last);
      } catch (StoreException.Compacted e) {
        assertThat(e.compactedRevision()).isEqualTo(last);
      }
    }
  }

  @Test
  default void closingTheStoreEndsItsFeeds() throws Exception {
    var feed = store().follow(latest());
    try (var threads = Executors.newCachedThreadPool()) {
      var waiting = threads.submit(() -> feed.take(Duration.ofSeconds(30)));
      store().close();
      assertThatThrownBy(waiting::get).hasCauseInstanceOf(StoreException.Closed.class);
    }
    assertThatThrownBy(() -> feed.take(Duration.ofSeconds(30)))
        .isInstanceOf(StoreException.Closed.class);
    assertThat(feed.connected()).isFalse();
  }

  private void assertCompacted(long after, long compacted) {
    assertThatThrownBy(
            () -> {
              try (var feed = store().follow(after)) {
                takeUntil(feed, compacted);
              }
            })
        .as("follow after %s", after)
        .isInstanceOfSatisfying(
            StoreException.Compacted.class,
            e -> assertThat(e.compactedRevision()).isEqualTo(compacted));
  }

  /** Requires every revision after {@code after} up to {@code last} once, in order. */
  static void assertNoGap(List<Commit> commits, long after, long last) {
    var expected = after + 1;
    for (var commit : commits) {
      assertThat(commit.revision()).isEqualTo(expected++);
    }
    assertThat(expected).isGreaterThan(last);
  }
}
