package dev.muster.testing;

import static dev.muster.testing.StoreFixture.bytes;
import static dev.muster.testing.StoreFixture.changes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.muster.store.Change;
import dev.muster.store.Feed;
import dev.muster.store.Operation;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The contract of keys with a time to live: they are deleted after it, never before, and the log
 * contains the deletion.
 */
public interface TimeToLiveContract extends StoreFixture {

  Duration SHORT = Duration.ofSeconds(2);

  @Test
  @Tag("slow")
  default void expiresAndNeverTooEarly() throws Exception {
    var start = System.nanoTime();
    var revision = committed(temporary("/temporary", "1", SHORT));
    committed(set("/permanent", "1"));
    try (var feed = store().follow(revision)) {
      awaitDelete(feed, "/temporary");
      assertNotTooEarly(start, SHORT);
      assertThat(state()).containsOnlyKeys("/permanent");
      assertThat(latest()).isGreaterThan(revision);
    }
  }

  @Test
  @Tag("slow")
  default void puttingAgainExtendsOrMakesPermanent() throws Exception {
    committed(temporary("/extended", "1", SHORT));
    committed(temporary("/permanent", "1", SHORT));
    committed(temporary("/renewed", "1", SHORT));
    var again = System.nanoTime();
    var longer = SHORT.multipliedBy(2);
    committed(temporary("/extended", "2", longer));
    committed(set("/permanent", "2"));
    committed(new Operation.Delete("/renewed", Operation.ANY));
    committed(set("/renewed", "2"));
    try (var feed = store().follow(latest())) {
      awaitDelete(feed, "/extended");
    }
    assertNotTooEarly(again, longer);
    assertThat(state()).containsOnlyKeys("/permanent", "/renewed");
  }

  @Test
  @Tag("slow")
  default void expiresOverAReopening() throws Exception {
    assumeTrue(durable());
    var start = System.nanoTime();
    var lifetime = SHORT.multipliedBy(2);
    var revision = committed(temporary("/temporary", "1", lifetime));

    reopen();

    if (!state().containsKey("/temporary")) {
      assertNotTooEarly(start, lifetime);
    }
    try (var feed = store().follow(revision)) {
      awaitDelete(feed, "/temporary");
    }
    assertNotTooEarly(start, lifetime);
    assertThat(state()).isEmpty();
  }

  @Test
  default void aTemporaryKeyIsGuardedLikeAnyOther() {
    var revision = committed(temporary("/temporary", "1", Duration.ofHours(1)));
    conflicted(new Operation.Put("/temporary", bytes("2"), Operation.ABSENT, SHORT));
    var next =
        committed(
            new Operation.Put("/temporary", bytes("2"), revision, Duration.ofHours(2)),
            set("/other", "1"));
    assertThat(entry("/temporary").modRevision()).isEqualTo(next);
  }

  private static Operation temporary(String key, String value, Duration timeToLive) {
    return new Operation.Put(key, bytes(value), Operation.ANY, timeToLive);
  }

  private void assertNotTooEarly(long startNanos, Duration lifetime) {
    assertThat(Duration.ofNanos(System.nanoTime() - startNanos)).isGreaterThanOrEqualTo(lifetime);
  }

  private static void awaitDelete(Feed feed, String key) throws InterruptedException {
    var deadline = System.nanoTime() + Duration.ofSeconds(90).toNanos();
    while (System.nanoTime() < deadline) {
      var commits = feed.take(Duration.ofMillis(200));
      for (var commit : commits) {
        if (commit.changes().stream().filter(Change::isDelete).anyMatch(c -> c.key().equals(key))) {
          return;
        }
      }
      assertThat(changes(commits)).allMatch(change -> !change.startsWith(key + " "));
    }
    throw new AssertionError(key + " did not expire");
  }
}
