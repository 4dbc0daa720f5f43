package dev.muster.controllers.servers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.identity.IdentityLease;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Leases that the test keeps itself, and time that it moves. */
class ExpiredLeasePolicyTest {
  private static final Instant START = Instant.parse("2026-11-15T09:00:00Z");
  private static final Duration HOUR = Duration.ofHours(1);

  /** Something to be done at a time since the start. */
  private record Task(Duration at, Runnable action) {}

  private final Map<String, IdentityLease> stored = new HashMap<>();
  private final List<Task> tasks = new ArrayList<>();
  private final List<String> deleted = new ArrayList<>();
  private Duration elapsed = Duration.ZERO;
  private boolean away;
  private Runnable beforeDelete = () -> {};
  private int versions;
  private int asked;
  private int refused;

  private final ExpiredLeasePolicy collection =
      new ExpiredLeasePolicy(
          new ExpiredLeasePolicy.Leases() {
            @Override
            public @Nullable IdentityLease get(String name) {
              asked++;
              if (away) {
                throw new IllegalStateException("no answer");
              }
              return stored.get(name);
            }

            @Override
            public boolean delete(IdentityLease lease) {
              beforeDelete.run();
              if (!Objects.equals(stored.get(lease.name()), lease)) {
                return false;
              }
              stored.remove(lease.name());
              deleted.add(lease.name());
              return true;
            }
          },
          (time, action) -> tasks.add(new Task(elapsed.plus(time), action)),
          () -> elapsed.toNanos());

  private void write(String name, @Nullable Instant renewed, @Nullable Duration duration) {
    var lease = lease(name, "uid-" + name, "" + ++versions, renewed, duration);
    stored.put(name, lease);
    collection.check(lease);
  }

  private Instant now() {
    return START.plus(elapsed);
  }

  /** Time goes by; what is due is done. */
  private void pass(Duration time) {
    var end = elapsed.plus(time);
    while (elapsed.compareTo(end) < 0) {
      elapsed = elapsed.plus(Duration.ofSeconds(1));
      for (var task : List.copyOf(tasks)) {
        if (task.at().compareTo(elapsed) <= 0) {
          tasks.remove(task);
          task.action().run();
        }
      }
    }
  }

  private void resync() {
    List.copyOf(stored.values()).forEach(collection::check);
  }

  private static IdentityLease lease(
      String name,
      String uid,
      String version,
      @Nullable Instant renewed,
      @Nullable Duration duration) {
    return new IdentityLease(
        "n",
        name,
        uid,
        version,
        name,
        "",
        true,
        null,
        renewed,
        duration,
        Duration.ofSeconds(10),
        List.of(),
        "",
        "");
  }

  @Test
  void leasesThatNothingRenewsAreDeletedWhenTheyWereSilentForTheirDuration() {
    write("expired", START.minus(HOUR).minusSeconds(1), HOUR);
    write("never-renewed", null, HOUR);
    write("without-duration", START, null);
    write("of-the-far-future", Instant.parse("2100-01-01T00:00:00Z"), HOUR);
    write("short", START.minus(HOUR), Duration.ofSeconds(40));
    pass(Duration.ofSeconds(39));
    assertThat(deleted).isEmpty();
    pass(Duration.ofMinutes(2));
    assertThat(deleted).containsExactly("short");
    pass(HOUR.minusMinutes(3));
    assertThat(deleted).containsExactly("short");
    pass(Duration.ofMinutes(4));
    assertThat(deleted)
        .containsExactlyInAnyOrder(
            "short", "expired", "never-renewed", "without-duration", "of-the-far-future");
  }

  @Test
  void aPausedServerKeepsItsLeaseWhateverTheClocksSay() {
    for (var renewed : List.of(START, START.minus(HOUR.multipliedBy(3)), START.plus(HOUR))) {
      write("a", renewed, HOUR);
      pass(Duration.ofMinutes(59));
      resync();
      assertThat(deleted).isEmpty();
    }
  }

  @Test
  void leasesThatAreRenewedAreKept() {
    for (int i = 0; i < 6; i++) {
      write("renewed", START, HOUR);
      pass(Duration.ofMinutes(50));
      resync();
    }
    assertThat(deleted).isEmpty();
  }

  @Test
  void aServerThatRenewsCostsNoRequests() {
    for (int i = 0; i < 400; i++) {
      write("a", now(), HOUR);
      pass(Duration.ofSeconds(10));
    }
    assertThat(asked).isZero();
  }

  @Test
  void aServerThatStopsRenewingIsCollectedWithinTheSecondHour() {
    for (int i = 0; i < 12; i++) {
      write("a", now(), HOUR);
      pass(Duration.ofSeconds(10));
    }
    var last = elapsed;
    while (deleted.isEmpty()) {
      pass(Duration.ofMinutes(1));
      assertThat(elapsed.minus(last)).isLessThan(Duration.ofMinutes(120));
    }
    assertThat(elapsed.minus(last)).isGreaterThanOrEqualTo(HOUR);
  }

  @Test
  void aLeaseThatIsRenewedAtTheMomentOfDeletionIsKept() {
    write("a", START.minus(HOUR).minusSeconds(1), HOUR);
    beforeDelete =
        () -> {
          write("a", now(), HOUR);
          refused++;
        };
    pass(HOUR.plusMinutes(5));
    assertThat(refused).isEqualTo(1);
    assertThat(deleted).isEmpty();
    assertThat(stored).containsKey("a");
  }

  @ParameterizedTest
  @ValueSource(ints = {-60, -5, 5, 60, -600})
  void aServerWithAWrongClockIsKeptWhileItRenews(int minutes) {
    for (int i = 0; i < 400; i++) {
      write("a", now().plus(Duration.ofMinutes(minutes)), HOUR);
      pass(Duration.ofSeconds(10));
    }
    assertThat(deleted).isEmpty();
  }

  @Test
  void aStoreThatStandsStillIsNoSilenceOfServers() {
    write("a", now(), HOUR);
    pass(Duration.ofMinutes(30));
    away = true;
    pass(HOUR.multipliedBy(3));
    away = false;
    pass(Duration.ofMinutes(28));
    assertThat(deleted).isEmpty();
    pass(Duration.ofMinutes(5));
    assertThat(deleted).containsExactly("a");
  }

  @Test
  void aServerHasTimeToRenewWhenTheStoreIsBack() {
    write("a", now(), HOUR);
    pass(HOUR.minusSeconds(20));
    away = true;
    pass(HOUR);
    away = false;
    pass(Duration.ofSeconds(45));
    assertThat(deleted).isEmpty();
    write("a", now(), HOUR);
    pass(Duration.ofMinutes(50));
    assertThat(deleted).isEmpty();
  }

  @Test
  void aPauseOfTheCollectorIsNoSilenceOfServers() {
    write("a", now(), HOUR);
    pass(Duration.ofMinutes(30));
    elapsed = elapsed.plus(HOUR.multipliedBy(2));
    pass(Duration.ofMinutes(28));
    assertThat(deleted).isEmpty();
  }

  @Test
  void aLeaseThatWasMadeAgainUnderTheSameNameIsAnother() {
    write("a", START.minus(HOUR).minusSeconds(1), HOUR);
    pass(Duration.ofMinutes(50));
    stored.put("a", lease("a", "another", "99", START, HOUR));
    pass(Duration.ofMinutes(50));
    assertThat(deleted).isEmpty();
  }
}
