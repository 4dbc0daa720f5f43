package dev.muster.testing;

import static dev.muster.testing.StoreFixture.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.muster.store.CommitResult;
import dev.muster.store.Operation;
import dev.muster.store.StoreException;
import dev.muster.store.Transaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/**
 * The contract of conditional commits: all or nothing, one revision each, guarded by mod revisions.
 */
public interface CommitContract extends StoreFixture {

  @Test
  default void createsOnlyWhatDoesNotExist() {
    var revision = committed(create("/a", "1"));
    var conflict = conflicted(create("/a", "2"));

    assertThat(conflict.revision()).isGreaterThanOrEqualTo(revision);
    assertThat(conflict.found()).hasSize(1);
    assertThat(conflict.found().getFirst().key()).isEqualTo("/a");
    assertThat(conflict.found().getFirst().modRevision()).isEqualTo(revision);
    assertThat(text(conflict.found().getFirst().value())).isEqualTo("1");
    assertThat(state()).isEqualTo(Map.of("/a", "1"));
  }

  @Test
  default void updatesOnlyTheExpectedRevision() {
    var first = committed(create("/a", "1"));
    var second = committed(put("/a", "2", first));

    assertThat(second).isGreaterThan(first);
    assertThat(conflicted(put("/a", "3", first)).found().getFirst().modRevision())
        .isEqualTo(second);
    assertThat(entry("/a"))
        .satisfies(entry -> assertThat(entry.modRevision()).isEqualTo(second))
        .satisfies(entry -> assertThat(text(entry.value())).isEqualTo("2"));
  }

  /** The same few keys guard many commits, so a cache of mod revisions must not be stale. */
  @Test
  default void aGuardThatHeldBeforeIsLookedAtAgain() {
    var guarded = committed(create("/guard", "1"));
    committed(new Operation.Check("/guard", guarded), create("/a", "1"));
    committed(new Operation.Check("/guard", guarded), create("/b", "1"));

    var changed = committed(put("/guard", "2", guarded));
    conflicted(new Operation.Check("/guard", guarded), create("/c", "1"));
    committed(new Operation.Check("/guard", changed), create("/c", "1"));

    committed(new Operation.Delete("/guard", changed));
    conflicted(new Operation.Check("/guard", changed), create("/d", "1"));
    committed(new Operation.Check("/guard", Operation.ABSENT), create("/d", "1"));

    committed(create("/guard", "3"));
    conflicted(new Operation.Check("/guard", Operation.ABSENT), create("/e", "1"));
  }

  @Test
  default void deletesOnlyTheExpectedRevision() {
    var first = committed(create("/a", "1"));
    var second = committed(put("/a", "2", first));

    conflicted(new Operation.Delete("/a", first));
    assertThat(state()).containsKey("/a");
    var third = committed(new Operation.Delete("/a", second));
    assertThat(third).isGreaterThan(second);
    assertThat(state()).isEmpty();
  }

  @Test
  default void reportsAnAbsentKeyAsRevisionZero() {
    var found = conflicted(put("/a", "1", 1)).found();

    assertThat(found).hasSize(1);
    assertThat(found.getFirst().modRevision()).isEqualTo(Operation.ABSENT);
    assertThat(found.getFirst().value()).isEmpty();
  }

  @Test
  default void aDeletedKeyCanBeCreatedAgain() {
    var first = committed(create("/a", "1"));
    committed(new Operation.Delete("/a", first));
    var again = committed(create("/a", "2"));

    assertThat(entry("/a").modRevision()).isEqualTo(again);
    conflicted(put("/a", "3", first));
  }

  @Test
  default void appliesAllOperationsOrNone() {
    var a = committed(create("/a", "1"));
    var b = committed(create("/b", "1"));

    var conflict =
        conflicted(
            put("/a", "2", a),
            put("/b", "2", a),
            create("/c", "1"),
            new Operation.Check("/d", Operation.ABSENT));
    assertThat(conflict.found()).extracting(CommitResult.Found::key).containsExactly("/b");
    assertThat(state()).isEqualTo(Map.of("/a", "1", "/b", "1"));

    var revision = committed(put("/a", "2", a), new Operation.Delete("/b", b), create("/c", "1"));
    assertThat(state()).isEqualTo(Map.of("/a", "2", "/c", "1"));
    assertThat(entry("/a").modRevision()).isEqualTo(revision);
    assertThat(entry("/c").modRevision()).isEqualTo(revision);
  }

  @Test
  default void namesEveryGuardThatFailed() {
    committed(create("/a", "1"));
    committed(create("/b", "1"));

    assertThat(conflicted(create("/a", "2"), create("/b", "2"), create("/c", "2")).found())
        .extracting(CommitResult.Found::key)
        .containsExactly("/a", "/b");
  }

  @Test
  default void checksAKeyWithoutChangingIt() {
    var revision = committed(create("/lock", "held"));

    committed(new Operation.Check("/lock", revision), create("/a", "1"));
    conflicted(new Operation.Check("/lock", revision + 1), create("/b", "1"));
    assertThat(state()).isEqualTo(Map.of("/a", "1", "/lock", "held"));
    assertThat(entry("/lock").modRevision()).isEqualTo(revision);

    var current = latest();
    assertThat(committed(new Operation.Check("/lock", revision))).isEqualTo(current);
    assertThat(latest()).isEqualTo(current);
  }

  @Test
  default void checksThatAKeyHasNotChangedSince() {
    var before = latest();
    committed(new Operation.Check("/sign", Operation.notAfter(before)), create("/a", "1"));
    var written = committed(set("/sign", "1"));

    var conflict =
        conflicted(new Operation.Check("/sign", Operation.notAfter(written - 1)), set("/b", "1"));
    assertThat(conflict.found()).extracting(CommitResult.Found::key).containsExactly("/sign");
    committed(new Operation.Check("/sign", Operation.notAfter(written)), set("/b", "1"));
    committed(new Operation.Check("/sign", Operation.notAfter(latest())), set("/b", "2"));
    var again = committed(new Operation.Put("/sign", new byte[] {2}, Operation.notAfter(latest())));
    conflicted(new Operation.Put("/sign", new byte[] {3}, Operation.notAfter(again - 1)));
    assertThat(entry("/sign").modRevision()).isEqualTo(again);
  }

  @Test
  default void takesAnyStateWhenTold() {
    committed(set("/a", "1"));
    committed(set("/a", "2"));
    committed(new Operation.Delete("/a", Operation.ANY));
    var before = latest();

    assertThat(committed(new Operation.Delete("/a", Operation.ANY))).isGreaterThanOrEqualTo(before);
    assertThat(state()).isEmpty();
  }

  @Test
  default void keepsEmptyValuesAndUnusualKeys() {
    committed(create("/empty", ""));
    committed(create("/ümläut/名前/a b", "ü"));

    assertThat(state()).isEqualTo(Map.of("/empty", "", "/ümläut/名前/a b", "ü"));
  }

  @Test
  default void revisionsAndStateSurviveReopening() {
    assumeTrue(durable());
    committed(create("/a", "1"));
    var deleted = committed(create("/gone", "1"));
    committed(new Operation.Delete("/gone", deleted));
    var last = committed(create("/b", "1"));

    reopen();

    assertThat(latest()).isGreaterThanOrEqualTo(last);
    assertThat(entry("/b").modRevision()).isEqualTo(last);
    assertThat(state()).isEqualTo(Map.of("/a", "1", "/b", "1"));
    conflicted(create("/a", "2"));
    assertThat(committed(create("/gone", "2"))).isGreaterThan(last);
  }

  @Test
  default void takesManyOperationsAtOnce() {
    var operations = new ArrayList<Operation>();
    for (var i = 0; i < 100; i++) {
      operations.add(create("/many/" + i, "x"));
    }
    var revision = committed(operations.toArray(Operation[]::new));

    assertThat(entries()).hasSize(100);
    assertThat(entries().values()).allMatch(entry -> entry.modRevision() == revision);
  }

  @Test
  default void letsExactlyOneOfSeveralRacingWritersWin() throws Exception {
    committed(create("/counter", "0"));
    var revisions = Collections.synchronizedSet(new HashSet<Long>());
    Callable<Integer> increment =
        () -> {
          var won = 0;
          while (won < 25) {
            var entry = entry("/counter");
            var next = Integer.toString(Integer.parseInt(text(entry.value())) + 1);
            if (commit(put("/counter", next, entry.modRevision()))
                instanceof CommitResult.Committed committed) {
              won++;
              revisions.add(committed.revision());
            }
          }
          return won;
        };
    try (var threads = Executors.newCachedThreadPool()) {
      for (var writer : threads.invokeAll(List.of(increment, increment, increment, increment))) {
        assertThat(writer.get()).isEqualTo(25);
      }
    }
    assertThat(state()).containsEntry("/counter", "100");
    assertThat(revisions).hasSize(100);
  }

  @Test
  default void refusesEverythingOnceClosed() {
    store().close();

    assertThatThrownBy(() -> commit(create("/a", "1"))).isInstanceOf(StoreException.Closed.class);
    assertThatThrownBy(this::latest).isInstanceOf(StoreException.Closed.class);
    assertThatThrownBy(() -> store().image()).isInstanceOf(StoreException.Closed.class);
    assertThatThrownBy(() -> store().follow(0)).isInstanceOf(StoreException.Closed.class);
  }

  @Test
  default void takesLargeValuesAndRefusesTooLargeOnes() {
    var large = new byte[3 << 19];
    Arrays.fill(large, (byte) 'x');
    committed(new Operation.Put("/large", large, Operation.ABSENT));
    var tooLarge =
        Transaction.of(new Operation.Put("/larger", new byte[4 << 20], Operation.ABSENT));

    assertThatThrownBy(() -> StoreFixture.await(store().commit(tooLarge)))
        .isInstanceOf(StoreException.TooLarge.class);
    assertThat(entry("/large").value()).isEqualTo(large);
    assertThat(entries()).hasSize(1);
  }
}
