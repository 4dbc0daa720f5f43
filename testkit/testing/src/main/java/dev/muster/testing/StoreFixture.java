package dev.muster.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.store.Change;
import dev.muster.store.Commit;
import dev.muster.store.CommitResult;
import dev.muster.store.Entry;
import dev.muster.store.Feed;
import dev.muster.store.Operation;
import dev.muster.store.Store;
import dev.muster.store.StoreException;
import dev.muster.store.Transaction;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The engine-specific part of the store contract: an empty store and a way to reopen it. */
public interface StoreFixture {
  /** The store under test, empty at the start of each test. */
  Store store();

  /** Closes the store and opens its data again; {@link #store} then returns the new one. */
  void reopen();

  /** Whether data survives {@link #reopen}. */
  default boolean durable() {
    return true;
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static String text(byte @Nullable [] bytes) {
    return bytes == null ? "(deleted)" : new String(bytes, StandardCharsets.UTF_8);
  }

  default Operation put(String key, String value, long expected) {
    return new Operation.Put(key, bytes(value), expected);
  }

  default Operation create(String key, String value) {
    return put(key, value, Operation.ABSENT);
  }

  default Operation set(String key, String value) {
    return put(key, value, Operation.ANY);
  }

  /** Commits and waits for the outcome. */
  default CommitResult commit(Operation... operations) {
    return await(store().commit(Transaction.of(operations)));
  }

  /** Commits, requires success and returns the revision. */
  default long committed(Operation... operations) {
    var result = commit(operations);
    assertThat(result).isInstanceOf(CommitResult.Committed.class);
    return ((CommitResult.Committed) result).revision();
  }

  /** Commits and requires a conflict. */
  default CommitResult.Conflict conflicted(Operation... operations) {
    var result = commit(operations);
    assertThat(result).isInstanceOf(CommitResult.Conflict.class);
    return (CommitResult.Conflict) result;
  }

  default long latest() {
    return await(store().readIndex());
  }

  /** All entries as text, by key. */
  default Map<String, String> state() {
    var state = new TreeMap<String, String>();
    entries().forEach((key, entry) -> state.put(key, text(entry.value())));
    return state;
  }

  default Map<String, Entry> entries() {
    var entries = new TreeMap<String, Entry>();
    try (var image = store().image()) {
      image.forEach(entry -> entries.put(entry.key(), entry));
    }
    return entries;
  }

  /** The entry of an existing key. */
  default Entry entry(String key) {
    var entry = entries().get(key);
    assertThat(entry).as(key).isNotNull();
    return Objects.requireNonNull(entry);
  }

  /** Pulls until the commit of that revision arrives; fails after a timeout. */
  static List<Commit> takeUntil(Feed feed, long revision) throws InterruptedException {
    var commits = new ArrayList<Commit>();
    var deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (commits.isEmpty() || commits.getLast().revision() < revision) {
      assertThat(System.nanoTime()).as("revision %s came in time", revision).isLessThan(deadline);
      commits.addAll(feed.take(Duration.ofMillis(200)));
    }
    return commits;
  }

  /** The commits as text, one per change, such as {@code /a=1}, without revisions. */
  static List<String> changes(List<Commit> commits) {
    return commits.stream()
        .flatMap(commit -> commit.changes().stream())
        .map(StoreFixture::describe)
        .toList();
  }

  static String describe(Change change) {
    return change.isDelete()
        ? change.key() + " deleted"
        : change.key() + "=" + text(change.value());
  }

  static <T> T await(CompletableFuture<T> future) {
    try {
      return future.get(60, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof StoreException failure) {
        throw failure;
      }
      throw new AssertionError(e.getCause());
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }
}
