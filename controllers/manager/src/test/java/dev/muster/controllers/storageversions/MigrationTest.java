package dev.muster.controllers.storageversions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.controllers.StatusConditions;
import dev.muster.model.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MigrationTest {
  private static final Instant START = Instant.parse("2026-11-16T09:00:00Z");
  private static final Duration PAUSE = Duration.ofSeconds(5);

  private final MigratedStore store = new MigratedStore(3);
  private Instant now = START;

  private Optional<Duration> advance(String name) {
    return new Migration(store, () -> now, "term", PAUSE).advance(name);
  }

  private void things(int count) {
    for (int i = 0; i < count; i++) {
      store.put("t" + (10 + i));
    }
  }

  private JsonObject condition(String migration, String type) {
    return StatusConditions.find(store.get(migration).object("status").array("conditions"), type);
  }

  private void storedIn(String version) {
    assertThat(store.objects.values()).allMatch(each -> each.storedVersion().equals(version));
  }

  @Test
  void everyObjectIsRewrittenAndTheStoredVersionsArePruned() {
    store.define();
    things(8);
    store.store("v2");
    store.migrate("m", START);
    assertThat(advance("m")).isEmpty();
    storedIn("v2");
    assertThat(store.definition().object("status").array("storedVersions").strings())
        .containsExactly("v2");
    assertThat(condition("m", "Succeeded").string("reason"))
        .isEqualTo("StorageVersionMigrationSucceeded");
    assertThat(condition("m", "Succeeded").string("message"))
        .isEqualTo("8 objects seen, 8 of them rewritten");
    assertThat(condition("m", "Running").string("status")).isEqualTo("False");
    assertThat(store.get("m").object("status").string("resourceVersion")).isNotEmpty();
    assertThat(store.told).containsExactly("MigrationRunning", "MigrationSucceeded");
    assertThat(MigrationProgress.read(store.get("m"))).isEmpty();
  }

  @Test
  void aSecondMigrationWritesNoObject() {
    store.define();
    things(5);
    store.migrate("m", START);
    var before = new HashMap<>(store.objects);
    advance("m");
    assertThat(store.objects).isEqualTo(before);
    assertThat(condition("m", "Succeeded").string("message"))
        .isEqualTo("5 objects seen, 0 of them rewritten");
  }

  @Test
  void nothingBeginsWhileServersDisagree() {
    store.define();
    things(5);
    store.store("v2");
    store.disagreement = Optional.of("API servers do not all serve the same APIs");
    store.migrate("m", START);
    assertThat(advance("m")).contains(PAUSE);
    assertThat(advance("m")).contains(PAUSE);
    storedIn("v1");
    assertThat(condition("m", "Running").string("status")).isEqualTo("False");
    assertThat(condition("m", "Running").string("reason")).isEqualTo("ServersDisagree");
    assertThat(store.told).as("told once").containsExactly("ServersDisagree");
    store.disagreement = Optional.empty();
    assertThat(advance("m")).isEmpty();
    storedIn("v2");
  }

  @Test
  void stopsWhenServersDisagreeAndBeginsAnewAfterwards() {
    things(9);
    store.store("v2");
    store.migrate("m", START);
    var seen = new int[1];
    store.beforeEachWrite =
        () -> {
          if (++seen[0] == 7) {
            store.disagreement = Optional.of("another server came");
          }
          now = now.plusSeconds(1);
        };
    assertThat(advance("m")).contains(PAUSE);
    assertThat(condition("m", "Running").string("status")).isEqualTo("False");
    assertThat(store.objects.values()).anyMatch(each -> each.storedVersion().equals("v1"));
    // The other server writes objects in its version that were done already, and leaves.
    store.beforeEachWrite = () -> {};
    store.storage = "v1";
    store.put("t10");
    store.storage = "v2";
    store.disagreement = Optional.empty();
    assertThat(advance("m")).isEmpty();
    storedIn("v2");
  }

  @Test
  void aDefinitionThatChangesMeanwhileIsMigratedFromTheBeginning() {
    store.define();
    things(7);
    store.store("v2");
    store.migrate("m", START);
    var seen = new int[1];
    store.beforeEachWrite =
        () -> {
          if (++seen[0] == 6) {
            store.store("v1");
            store.put("t10");
          }
        };
    assertThat(advance("m")).contains(Duration.ZERO);
    assertThat(store.definition().object("status").array("storedVersions").strings())
        .containsExactly("v1", "v2");
    assertThat(advance("m")).isEmpty();
    storedIn("v1");
    assertThat(store.definition().object("status").array("storedVersions").strings())
        .containsExactly("v1");
  }

  @Test
  void migrationsOfOneResourceGoOneAfterTheOther() {
    store.migrate("b", START);
    store.migrate("a", START.plusSeconds(1));
    assertThat(advance("a")).contains(PAUSE);
    assertThat(condition("a", "Running")).isEqualTo(JsonObject.EMPTY);
    assertThat(advance("b")).isEmpty();
    assertThat(advance("a")).isEmpty();
  }

  @Test
  void aResourceThatNobodyServesIsWaitedForAMinute() {
    store.served = false;
    store.migrate("m", START);
    assertThat(advance("m")).contains(PAUSE);
    now = START.plusSeconds(61);
    assertThat(advance("m")).isEmpty();
    assertThat(condition("m", "Failed").string("message"))
        .isEqualTo("resource does not exist in discovery");
  }

  @Test
  void anObjectThatIsRefusedEndsItAndTheStoredVersionsStay() {
    store.define();
    things(2);
    store.store("v2");
    store.migrate("m", START);
    store.refusing = true;
    assertThat(advance("m")).isEmpty();
    assertThat(condition("m", "Failed").string("message"))
        .isEqualTo("t10: spec.size: Required value");
    assertThat(condition("m", "Running").string("status")).isEqualTo("False");
    assertThat(store.definition().object("status").array("storedVersions").strings())
        .containsExactly("v1", "v2");
    assertThat(
            StatusConditions.find(
                    store.definition().object("status").array("conditions"), "StorageMigrating")
                .string("reason"))
        .isEqualTo("MigrationFailed");
  }

  @Test
  void anEndThatAFormerControllerLeftHalfDoneIsFinished() {
    store.migrate("m", START);
    var half =
        MigrationStatus.succeeded(
            MigrationStatus.running(store.get("m"), true, "R", "", START), "", START);
    store.migrations.put("m", MigrationStatus.running(half, true, "R", "", START));
    assertThat(advance("m")).isEmpty();
    assertThat(condition("m", "Running").string("reason")).isEqualTo("MigrationCompleted");
  }
}
