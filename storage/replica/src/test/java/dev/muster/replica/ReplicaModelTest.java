package dev.muster.replica;

import static dev.muster.replica.Samples.MAPS;
import static dev.muster.replica.Samples.NODES;
import static dev.muster.replica.Samples.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.replica.snapshot.ReplicaException;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.replica.snapshot.WatchCursor;
import dev.muster.store.Commit;
import dev.muster.store.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random histories against {@link NaiveModel}; a failure names its seed. */
class ReplicaModelTest {

  /** A cursor with what it was told. */
  private record Watcher(
      String storage, long after, WatchCursor cursor, List<NaiveModel.Told> told) {
    void poll(int most) {
      cursor.poll(most, event -> told.add(NaiveModel.Told.of(storage, event)));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void everySnapshotAndEveryCursorShowsExactlyTheHistory(long seed) {
    history(seed, 700);
  }

  @Tag("slow")
  @Test
  void everySnapshotAndEveryCursorShowsExactlyALongHistory() {
    for (long seed = 100; seed < 110; seed++) {
      history(seed, 2_000);
    }
  }

  private static void history(long seed, int commits) {
    try (var store = new MemoryStore();
        var replica = Samples.start(store)) {
      run(new NaiveModel(store, new Random(seed)), replica, new Random(~seed), commits);
    } catch (AssertionError wrong) {
      throw new AssertionError("seed " + seed, wrong);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12})
  void shortMemoryExpiresOldRevisionsAndShowsTheOthersExactly(long seed) {
    var options = Samples.OPTIONS.withEvents(Duration.ofMinutes(5), 64, Long.MAX_VALUE);
    try (var store = new MemoryStore();
        var replica = Samples.start(store, options)) {
      var model = new NaiveModel(store, new Random(seed));
      await(replica, 0);
      for (int i = 0; i < 1_000; i++) {
        model.commit();
      }
      await(replica, model.revision());
      int shown = 0;
      for (long revision = 0; revision <= model.revision(); revision++) {
        try {
          model.check(replica.at(revision).orElseThrow(), false);
          shown++;
        } catch (ReplicaException.Expired expired) {
          assertThat(expired.oldest()).isGreaterThan(revision);
          assertThat(revision).isLessThan(replica.oldest());
        }
      }
      assertThat(shown).isBetween(60, 200);
    }
  }

  @Test
  void droppedChangeIsCaught() {
    try (var store = new FaultyStore(new MemoryStore());
        var replica = Samples.start(store)) {
      store.lie(ReplicaModelTest::withoutChangeAt500);
      assertThatThrownBy(
              () -> run(new NaiveModel(store, new Random(1)), replica, new Random(2), 1_000))
          .isInstanceOf(AssertionError.class);
    }
  }

  private static Commit withoutChangeAt500(Commit commit) {
    return commit.revision() >= 500 && commit.revision() < 504
        ? new Commit(commit.revision(), List.of())
        : commit;
  }

  private static void run(NaiveModel model, Replica replica, Random random, int commits) {
    await(replica, 0);
    var watchers = new ArrayList<Watcher>();
    for (int i = 0; i < commits; i++) {
      model.commit();
      switch (random.nextInt(12)) {
        case 0 -> watchers.add(watcher(replica, random));
        case 1 -> model.check(replica.current(), true);
        case 2 -> model.check(old(replica, random), false);
        case 3, 4, 5 -> {
          if (!watchers.isEmpty()) {
            watchers.get(random.nextInt(watchers.size())).poll(1 + random.nextInt(40));
          }
        }
        default -> {}
      }
    }
    var last = await(replica, model.revision());
    model.check(last, true);
    for (long revision = 0; revision <= model.revision(); revision++) {
      model.check(replica.at(revision).orElseThrow(), false);
    }
    for (var watcher : watchers) {
      long position = watcher.cursor.position();
      var sure = model.told(watcher.storage, watcher.after, position);
      assertThat(watcher.told.subList(0, sure.size())).isEqualTo(sure);
      watcher.poll(Integer.MAX_VALUE);
      assertThat(watcher.cursor.position()).isEqualTo(model.revision());
      assertThat(watcher.told)
          .isEqualTo(model.told(watcher.storage, watcher.after, model.revision()));
    }
    assertThat(watchers).isNotEmpty();
  }

  private static Watcher watcher(Replica replica, Random random) {
    var storage = random.nextBoolean() ? MAPS : NODES;
    long after = random.nextLong(replica.current().revision() + 1);
    return new Watcher(storage, after, replica.watch(storage, after), new ArrayList<>());
  }

  private static Snapshot old(Replica replica, Random random) {
    return replica.at(random.nextLong(replica.current().revision() + 1)).orElseThrow();
  }
}
