package dev.muster.controllers.storageversions;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The controller dies at every write there is, before it and after it, while objects come, change
 * and go, servers disagree for a while and the storage version changes. In the end every object
 * lies in the storage version, and the definition says so.
 */
class MigrationSimulationTest {
  private static final Instant START = Instant.parse("2026-11-16T09:00:00Z");
  private static final int OBJECTS = 12;

  private Instant now = START;
  private int terms;

  private MigratedStore store(boolean custom) {
    var store = new MigratedStore(5);
    if (custom) {
      store.define();
    }
    for (int i = 0; i < OBJECTS; i++) {
      store.put("t" + (100 + i));
    }
    store.store("v2");
    store.migrate("m", START);
    return store;
  }

  /** A new controller goes on until it dies or has nothing to do for now. */
  private Optional<Duration> live(MigratedStore store) {
    var migration = new Migration(store, () -> now, "term-" + terms++, Duration.ofSeconds(5));
    try {
      return migration.advance("m");
    } catch (MigratedStore.Crash | MigratedStore.Conflict e) {
      return Optional.of(Duration.ZERO);
    }
  }

  private void untilOver(MigratedStore store) {
    for (int i = 0; i < 50; i++) {
      if (live(store).isEmpty()) {
        return;
      }
    }
    throw new AssertionError("it never ends: " + store.migrations);
  }

  private static void check(MigratedStore store, boolean custom) {
    assertThat(store.objects.values())
        .allMatch(object -> object.storedVersion().equals(store.storage));
    assertThat(MigrationStatus.is(store.get("m"), "Succeeded")).isTrue();
    assertThat(MigrationStatus.is(store.get("m"), "Running")).isFalse();
    if (custom) {
      assertThat(store.definition().object("status").array("storedVersions").strings())
          .containsExactly(store.storage);
    }
  }

  @Test
  void aCrashAtAnyWriteLosesNothingAndWritesNoObjectTwice() {
    for (boolean custom : new boolean[] {true, false}) {
      for (boolean after : new boolean[] {true, false}) {
        for (int write = 0; write < OBJECTS + 12; write++) {
          var store = store(custom);
          var before = new HashMap<>(store.objects);
          store.dieAtWrite(write, after);
          live(store);
          var between = new HashMap<>(store.objects);
          store.dieAtWrite(-1, false);
          untilOver(store);
          check(store, custom);
          between.forEach(
              (name, object) -> {
                if (!object.equals(before.get(name))) {
                  assertThat(store.objects).as("written once").containsEntry(name, object);
                }
              });
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void whateverHappensMeanwhile(long seed) {
    var random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      boolean custom = random.nextBoolean();
      var store = store(custom);
      store.beforeEachWrite = () -> happen(store, random, custom);
      for (int life = 0; life < 6; life++) {
        store.dieAtWrite(random.nextInt(30), random.nextBoolean());
        live(store);
        if (!custom && random.nextInt(3) == 0) {
          writeInOldVersion(store, random);
        }
        if (MigrationStatus.isOver(store.get("m"))) {
          break;
        }
      }
      store.beforeEachWrite = () -> {};
      store.disagreement = Optional.empty();
      store.dieAtWrite(-1, false);
      if (!MigrationStatus.isOver(store.get("m"))) {
        untilOver(store);
        check(store, custom);
      }
    }
  }

  private void happen(MigratedStore store, Random random, boolean custom) {
    now = now.plusMillis(random.nextInt(400));
    switch (random.nextInt(12)) {
      case 0 -> store.put("t" + (100 + random.nextInt(2 * OBJECTS)));
      case 1 -> store.objects.remove("t" + (100 + random.nextInt(OBJECTS)));
      case 2 -> {
        if (custom) {
          store.store(store.storage.equals("v1") ? "v2" : "v1");
        }
      }
      case 3 -> {
        if (store.disagreement.isEmpty()) {
          store.disagreement = Optional.of("a server came");
        }
      }
      case 4 -> {
        // A server that nobody has seen yet has not been there for a second.
        if (store.disagreementSeen) {
          store.disagreement = Optional.empty();
        }
      }
      default -> {
        if (store.disagreement.isPresent() && !custom) {
          writeInOldVersion(store, random);
        }
      }
    }
  }

  /** Servers store a custom resource as its definition says, a built-in one as they know it. */
  private static void writeInOldVersion(MigratedStore store, Random random) {
    store.storage = "v1";
    store.put("t" + (100 + random.nextInt(2 * OBJECTS)));
    store.storage = "v2";
  }
}
