package dev.muster.controllers.servers;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
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
import org.slf4j.LoggerFactory;

/** Leases that the test keeps itself, and time that it moves. */
class LeaseCollectionTest {
  private static final Instant START = Instant.parse("2026-11-15T09:00:00Z");
  private static final Duration HOUR = Duration.ofHours(1);

  /** Something to be done at a time since the start. */
  private record Task(Duration at, Runnable action) {}

  private final Map<String, ServerLease> stored = new HashMap<>();
  private final List<Task> tasks = new ArrayList<>();
  private final List<String> deleted = new ArrayList<>();
  private Duration elapsed = Duration.ZERO;
  private Duration skew = Duration.ZERO;
  private boolean away;
  private Runnable beforeDelete = () -> {};
  private int versions;

  private final LeaseCollection collection =
      new LeaseCollection(
          new LeaseCollection.Leases() {
            @Override
            public @Nullable ServerLease get(String name) {
              if (away) {
                throw new IllegalStateException("no answer");
              }
              return stored.get(name);
            }

            @Override
            public boolean delete(ServerLease lease) {
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
          () -> START.plus(elapsed).plus(skew),
          () -> elapsed.toNanos());

  private void write(String name, @Nullable Instant renewed, @Nullable Duration duration) {
    var lease =
        new ServerLease(
            "n",
            name,
            "uid-" + name,
            "" + ++versions,
            name,
            renewed,
            duration,
            Duration.ofSeconds(10));
    stored.put(name, lease);
    collection.look(lease);
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
    List.copyOf(stored.values()).forEach(collection::look);
  }

  @Test
  void expiredLeasesAndThoseWithoutTimesAreDeleted() {
    write("expired", START.minus(HOUR).minusSeconds(1), HOUR);
    write("never-renewed", null, HOUR);
    write("without-duration", START, null);
    pass(Duration.ofSeconds(29));
    assertThat(deleted).isEmpty();
    pass(Duration.ofSeconds(2));
    assertThat(deleted).containsExactlyInAnyOrder("expired", "never-renewed", "without-duration");
  }

  @Test
  void leasesThatAreRenewedOrYoungAreKept() {
    write("fresh", START, HOUR);
    write("two-minutes", START.minus(Duration.ofMinutes(2)), HOUR);
    for (int i = 0; i < 5; i++) {
      pass(Duration.ofMinutes(10));
      resync();
    }
    assertThat(deleted).isEmpty();
  }

  @Test
  void aServerThatStopsRenewingIsCollectedWithinTheSecondHour() {
    for (int i = 0; i < 12; i++) {
      write("a", now(), HOUR);
      pass(Duration.ofSeconds(10));
    }
    var last = elapsed;
    while (deleted.isEmpty()) {
      pass(HOUR);
      resync();
      pass(Duration.ofMinutes(1));
      assertThat(elapsed.minus(last)).isLessThan(Duration.ofMinutes(130));
    }
    assertThat(elapsed.minus(last)).isGreaterThan(HOUR);
  }

  @Test
  void aLeaseThatIsRenewedBetweenCheckAndDeletionIsKept() {
    write("a", START.minus(HOUR).minusSeconds(1), HOUR);
    pass(Duration.ofSeconds(10));
    write("a", now(), HOUR);
    pass(Duration.ofMinutes(1));
    assertThat(deleted).isEmpty();
  }

  @Test
  void aLeaseThatIsRenewedAtTheMomentOfDeletionIsKept() {
    write("a", START.minus(HOUR).minusSeconds(1), HOUR);
    beforeDelete = () -> write("a", now(), HOUR);
    pass(Duration.ofMinutes(1));
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

  @ParameterizedTest
  @ValueSource(ints = {-60, -5, 5, 60})
  void ourOwnWrongClockDeletesNobodyWhoRenews(int minutes) {
    skew = Duration.ofMinutes(minutes);
    for (int i = 0; i < 400; i++) {
      write("a", now(), HOUR);
      pass(Duration.ofSeconds(10));
    }
    assertThat(deleted).isEmpty();
  }

  @Test
  void aLeaseFromTheFarFutureIsCollectedWhenItWasSeenLongEnough() {
    write("a", Instant.parse("2100-01-01T00:00:00Z"), HOUR);
    pass(Duration.ofMinutes(59));
    resync();
    pass(Duration.ofMinutes(2));
    assertThat(deleted).isEmpty();
    resync();
    pass(Duration.ofMinutes(1));
    assertThat(deleted).containsExactly("a");
  }

  @Test
  void aClockThatIsSetRightInTimeSavesALease() {
    skew = Duration.ofHours(2);
    write("a", START.minusSeconds(5), HOUR);
    pass(Duration.ofSeconds(10));
    skew = Duration.ZERO;
    pass(Duration.ofMinutes(1));
    assertThat(deleted).isEmpty();
  }

  @Test
  void aStoreThatStoodStillWhileALeaseWasSuspectedCostsNobodyItsLease() {
    skew = Duration.ofHours(2);
    write("a", now(), HOUR);
    pass(Duration.ofSeconds(12));
    away = true;
    pass(Duration.ofSeconds(25));
    away = false;
    pass(Duration.ofSeconds(9));
    assertThat(deleted).isEmpty();
    write("a", now(), HOUR);
    pass(Duration.ofSeconds(10));
    write("a", now(), HOUR);
    assertThat(deleted).isEmpty();
  }

  @Test
  void anAnswerThatComesLateIsNoProofOfSilence() {
    skew = Duration.ofHours(2);
    write("a", now(), HOUR);
    pass(Duration.ofSeconds(12));
    // The collector stands still, or the API server's answer takes that long.
    elapsed = elapsed.plusSeconds(60);
    pass(Duration.ofSeconds(15));
    assertThat(deleted).isEmpty();
    write("a", now(), HOUR);
    pass(Duration.ofSeconds(10));
    assertThat(deleted).isEmpty();
  }

  @Test
  void aSkewedClockIsANoteAndNotOneAtEveryRenewal() {
    var logger = (Logger) LoggerFactory.getLogger(LeaseCollection.class);
    var lines = new ListAppender<ILoggingEvent>();
    lines.start();
    logger.addAppender(lines);
    try {
      skew = Duration.ofHours(2);
      for (int i = 0; i < 60; i++) {
        write("a", now(), HOUR);
        pass(Duration.ofSeconds(10));
      }
      assertThat(lines.list)
          .singleElement()
          .asString()
          .contains("looks expired", "its clock or ours is wrong");
      skew = Duration.ZERO;
      for (int i = 0; i < 10; i++) {
        write("a", now(), HOUR);
        pass(Duration.ofSeconds(10));
      }
      assertThat(lines.list).hasSize(2);
    } finally {
      logger.detachAppender(lines);
    }
    assertThat(deleted).isEmpty();
  }

  @Test
  void anApiServerThatDoesNotAnswerIsAskedAgain() {
    away = true;
    write("a", null, HOUR);
    pass(Duration.ofMinutes(5));
    assertThat(deleted).isEmpty();
    away = false;
    pass(Duration.ofMinutes(1));
    assertThat(deleted).containsExactly("a");
  }

  @Test
  void aLeaseThatWasMadeAgainUnderTheSameNameIsAnother() {
    write("a", START.minus(HOUR).minusSeconds(1), HOUR);
    stored.put(
        "a", new ServerLease("n", "a", "another", "99", "a", START, HOUR, Duration.ofSeconds(10)));
    pass(Duration.ofMinutes(1));
    assertThat(deleted).isEmpty();
  }
}
