package dev.muster.controllers.election;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.controllers.election.LeaseCandidate.Attempt;
import dev.muster.model.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Candidates with wrong clocks that jump, an API server that fails, pauses, in simulated time. */
class ElectionSimulationTest {
  private static final LeaderElection ELECTION = LeaderElection.defaults();
  private static final Duration HOURS = Duration.ofHours(3);

  private final SplittableRandom random = new SplittableRandom(7);
  private SimulatedLeases leases = new SimulatedLeases(random);
  private final List<Process> processes = new ArrayList<>();

  /** A candidate with the clocks of its machine, and when it acts next. */
  private final class Process {
    private final String name;
    private Duration offset;
    private Duration next = leases.now();
    private boolean leads;
    private final LeaseCandidate candidate;

    Process(String name, Duration offset) {
      this.name = name;
      this.offset = offset;
      this.candidate =
          new LeaseCandidate(leases, ELECTION, name, () -> leases.now(), this::wallClock);
    }

    private Instant wallClock() {
      return Instant.parse("2026-01-01T00:00:00Z").plus(leases.now()).plus(offset);
    }

    boolean leadsNow() {
      return leads && leases.now().compareTo(candidate.leadsUntil()) < 0;
    }

    void act() throws InterruptedException {
      if (leads && !leadsNow()) {
        leads = false;
        candidate.stopLeading();
      }
      var patience = ELECTION.renewDeadline().dividedBy(2);
      var left = candidate.leadsUntil().minus(leases.now());
      var attempt = candidate.attempt(leads && left.compareTo(patience) < 0 ? left : patience);
      leads = attempt == Attempt.HELD || (leads && attempt == Attempt.FAILED);
      next = leases.now().plus(ELECTION.retryPeriod()).plusMillis(random.nextInt(2400));
    }
  }

  private void processes(Duration... offsets) {
    for (var offset : offsets) {
      processes.add(new Process("process-" + processes.size(), offset));
    }
  }

  /** Lets simulated time go by; never do two lead. */
  private void run(Duration time) throws InterruptedException {
    var end = leases.now().plus(time);
    while (leases.now().compareTo(end) < 0) {
      var next = processes.stream().min(Comparator.comparing(each -> each.next)).orElseThrow();
      leases.advanceTo(next.next);
      next.act();
      assertThat(leaders()).as("leaders at %s", leases.now()).hasSizeLessThanOrEqualTo(1);
    }
  }

  private List<String> leaders() {
    return processes.stream().filter(Process::leadsNow).map(each -> each.name).toList();
  }

  @Test
  void clocksThatAreHoursOffAndJumpChangeNothing() throws InterruptedException {
    processes(Duration.ZERO, HOURS, HOURS.negated());
    run(Duration.ofSeconds(10));
    var first = leaders();
    assertThat(first).hasSize(1);
    for (int i = 0; i < 300; i++) {
      var jumps = processes.get(random.nextInt(processes.size()));
      jumps.offset = HOURS.multipliedBy(random.nextInt(-2, 3));
      run(Duration.ofSeconds(3));
      assertThat(leaders()).isEqualTo(first);
    }
    assertThat(leases.spec().integer("leaseTransitions", -1)).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {-3, 0, 3})
  void aDeadLeaderIsSucceededWithinItsLeaseWhateverItsClockSaid(int hours)
      throws InterruptedException {
    processes(Duration.ofHours(hours), Duration.ZERO);
    processes.get(1).next = leases.now().plusSeconds(1);
    run(Duration.ofSeconds(10));
    assertThat(leaders()).containsExactly("process-0");
    processes.get(0).next = Duration.ofDays(9);
    run(ELECTION.leaseDuration().plusSeconds(6));
    assertThat(leaders()).containsExactly("process-1");
    assertThat(leases.spec().integer("leaseTransitions", -1)).isEqualTo(1);
  }

  @Test
  void aClockThatStandsStillDoesNotHideRenewals() throws InterruptedException {
    processes(Duration.ZERO, Duration.ZERO);
    processes.get(1).next = leases.now().plusSeconds(1);
    for (int i = 0; i < 100; i++) {
      var leader = processes.get(0);
      leader.offset = leases.now().negated();
      run(Duration.ofSeconds(1));
    }
    assertThat(leaders()).containsExactly("process-0");
  }

  @Test
  void aLeaseThatIsDeletedUnderItsLeaderStaysItsLeaders() throws InterruptedException {
    processes(Duration.ZERO, HOURS, HOURS.negated());
    run(Duration.ofSeconds(10));
    var first = leaders();
    var acquired = leases.spec().string("acquireTime");
    for (int i = 0; i < 100; i++) {
      leases.delete();
      run(Duration.ofSeconds(20));
      assertThat(leaders()).isEqualTo(first);
    }
    assertThat(leases.spec().string("acquireTime")).isEqualTo(acquired).isNotEmpty();
  }

  @Test
  void aLeaderStopsAtOnceWhenTheLeaseNamesAnother() throws InterruptedException {
    processes(Duration.ZERO);
    run(Duration.ofSeconds(10));
    assertThat(leaders()).hasSize(1);
    leases.edit(JsonObject.of("holderIdentity", "thief", "leaseDurationSeconds", 15));
    processes.getFirst().act();
    assertThat(leaders()).isEmpty();
    assertThat(processes.getFirst().candidate.degradedReason())
        .isEqualTo("thief holds the Lease now");
    run(ELECTION.leaseDuration().plusSeconds(6));
    assertThat(leaders()).as("the thief was silent for a whole lease").hasSize(1);
  }

  @Test
  void fieldsThatAreMissingOrAbsurdDoNotStopAnElection() throws InterruptedException {
    var odd =
        List.of(
            JsonObject.EMPTY,
            JsonObject.of("holderIdentity", "x"),
            JsonObject.of("holderIdentity", "x", "leaseDurationSeconds", -5),
            JsonObject.of("leaseTransitions", Integer.MAX_VALUE),
            JsonObject.of("holderIdentity", "x", "renewTime", "tomorrow", "acquireTime", ""),
            JsonObject.of("holderIdentity", "x", "leaseTransitions", -1));
    processes(Duration.ZERO, HOURS);
    for (var spec : odd) {
      leases.edit(spec);
      run(ELECTION.leaseDuration().multipliedBy(2));
      assertThat(leaders()).as("after %s", spec).hasSize(1);
      assertThat(leases.spec().integer("leaseTransitions", -1))
          .isBetween(0L, (long) Integer.MAX_VALUE);
      assertThat(leases.spec().keys())
          .contains("acquireTime", "renewTime", "leaseDurationSeconds", "holderIdentity");
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void neverDoTwoLeadAmongFailuresAndPauses(long seed) throws InterruptedException {
    var faults = new SplittableRandom(seed);
    leases = new SimulatedLeases(faults.split());
    processes(Duration.ZERO, HOURS, HOURS.negated(), Duration.ofSeconds(-40));
    int terms = 0;
    var last = List.<String>of();
    for (int i = 0; i < 400; i++) {
      leases.faults(faults.nextInt(4) == 0 ? 90 : 15);
      var one = processes.get(faults.nextInt(processes.size()));
      switch (faults.nextInt(4)) {
        case 0 -> one.next = one.next.plusMillis(faults.nextInt(40_000));
        case 1 -> one.offset = HOURS.multipliedBy(faults.nextInt(-2, 3));
        default -> {}
      }
      run(Duration.ofSeconds(5));
      if (!leaders().isEmpty() && !leaders().equals(last)) {
        last = leaders();
        terms++;
      }
    }
    assertThat(terms).as("terms").isGreaterThan(3);
    leases.faults(0);
    run(Duration.ofSeconds(90));
    assertThat(leaders()).hasSize(1);
  }
}
