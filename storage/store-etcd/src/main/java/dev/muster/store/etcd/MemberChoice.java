package dev.muster.store.etcd;

import dev.muster.store.OutageLog;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses the etcd member that receives all requests. The store leaves a member only when that
 * member does not answer a probe and another member does. So neither a single failed attempt nor an
 * election moves all requests. Thread-safe: its own monitor guards it.
 *
 * <p>A probe is a linearizable read, which a member answers only while it is in contact with a
 * leader. The store sends probes when a request fails or takes longer than {@link #SLOW_MILLIS},
 * and periodically. Calls and watches end at once in these cases:
 *
 * <ul>
 *   <li>The store leaves their member.
 *   <li>Calls only: their member follows a new leader, because it may have forwarded them to the
 *       old one.
 * </ul>
 *
 * <p>Another call then finds out at an answering member whether they took effect.
 */
final class MemberChoice {
  private static final Logger LOG = LoggerFactory.getLogger(EtcdStore.class);
  static final long LOOK_MILLIS = 250;
  private static final long SLOW_MILLIS = 500;

  /** How long the current member may leave a probe unanswered that another member answers. */
  private static final long SILENT_MILLIS = 750;

  /** How long slow calls cause no further probe of a member that has just answered one. */
  private static final long TRUSTED_MILLIS = 1_000;

  private static final long ROUTINE_MILLIS = 10_000;

  /** The known state of one member in the current round. */
  private static final class Probe {
    private long sentAt;
    private boolean underWay;
    private boolean answered;
    private @Nullable String failure;
  }

  private final List<EtcdMember> members;
  private final Function<EtcdMember, CompletableFuture<Long>> prober;
  private final LongSupplier nanoTime;
  private final OutageLog outage = new OutageLog(LOG);
  private final Probe[] probes;
  private volatile int current;
  private volatile Runnable onLeave = () -> {};
  private boolean round;
  private long roundSince;
  private long trustedUntil;
  private long nextRoutine;
  private boolean closed;

  /**
   * @param prober makes a linearizable read at a member and returns the term of its leader; fails
   *     with an {@link EtcdFailure}
   */
  MemberChoice(
      List<EtcdMember> members,
      int first,
      Function<EtcdMember, CompletableFuture<Long>> prober,
      LongSupplier nanoTime) {
    this.members = List.copyOf(members);
    this.current = first;
    this.prober = prober;
    this.nanoTime = nanoTime;
    long now = nanoTime.getAsLong();
    this.trustedUntil = now;
    this.nextRoutine = now;
    this.probes = new Probe[members.size()];
    Arrays.setAll(probes, _ -> new Probe());
  }

  /**
   * @param onLeave called before the store moves to another member; must not hold a lock for long
   */
  void start(ScheduledExecutorService timer, Runnable onLeave) {
    this.onLeave = onLeave;
    timer.scheduleWithFixedDelay(this::check, 0, LOOK_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** The current member. */
  EtcdMember current() {
    return members.get(current);
  }

  /** Whether no member has answered for a while. */
  boolean isAway() {
    return outage.lasts();
  }

  /** A request to that member failed that could have succeeded. */
  synchronized void suspect(EtcdMember member) {
    member.resetBackoff();
    if (!closed && member == current()) {
      begin(nanoTime.getAsLong());
      probeAll();
    }
  }

  /** Checks whether a call or probe takes too long; called every {@link #LOOK_MILLIS}. */
  synchronized void check() {
    if (closed) {
      return;
    }
    long now = nanoTime.getAsLong();
    if (!round) {
      boolean slow =
          now - trustedUntil >= 0 && current().hasCallOlderThan(now - nanos(SLOW_MILLIS));
      if (slow || now - nextRoutine >= 0) {
        begin(now);
        probe(current);
      }
    } else if (now - roundSince >= nanos(LOOK_MILLIS)) {
      probeAll();
    }
    decide();
  }

  private void begin(long now) {
    if (round) {
      return;
    }
    round = true;
    roundSince = now;
    for (var probe : probes) {
      probe.answered = false;
      probe.failure = null;
    }
  }

  private void probeAll() {
    for (int i = 0; i < probes.length; i++) {
      if (!probes[i].underWay && !probes[i].answered) {
        probe(i);
      }
    }
  }

  private void probe(int index) {
    var member = members.get(index);
    var probe = probes[index];
    if (probe.underWay) {
      return;
    }
    long sentAt = nanoTime.getAsLong();
    probe.underWay = true;
    probe.sentAt = sentAt;
    if (probe.failure != null) {
      member.resetBackoff();
    }
    prober
        .apply(member)
        .whenComplete(
            (term, failure) -> {
              synchronized (this) {
                probe.underWay = false;
                if (failure == null) {
                  answered(member, probe, sentAt, term);
                } else {
                  probe.failure = EtcdFailure.of(failure).getMessage();
                }
                decide();
              }
            });
  }

  private void answered(EtcdMember member, Probe probe, long sentAt, long term) {
    probe.answered = true;
    probe.failure = null;
    if (term > member.term()) {
      inBackground(() -> member.abandonCallsOfOlderTerm(sentAt - nanos(SLOW_MILLIS), term));
      member.term(term);
    }
  }

  /** Stays, moves to another member, or logs that no member answers. */
  private void decide() {
    if (!round || closed) {
      return;
    }
    long now = nanoTime.getAsLong();
    var mine = probes[current];
    if (mine.answered) {
      over(now);
      return;
    }
    boolean silent = mine.underWay && now - mine.sentAt >= nanos(SILENT_MILLIS);
    if (mine.failure != null || silent) {
      for (int i = 1; i < probes.length; i++) {
        int next = (current + i) % probes.length;
        if (probes[next].answered) {
          leaveFor(next, now, text(mine, now));
          return;
        }
      }
    }
    if (Arrays.stream(probes).allMatch(probe -> probe.failure != null)) {
      outage.failed(
          "etcd does not answer: waiting for "
              + describe(now)
              + "; nothing can be written until it does, and what is read may be old");
    }
  }

  private void over(long now) {
    round = false;
    trustedUntil = now + nanos(TRUSTED_MILLIS);
    nextRoutine = now + nanos(ROUTINE_MILLIS);
    outage.ended("etcd answers again at " + current());
  }

  private void leaveFor(int next, long now, String why) {
    var left = current();
    onLeave.run();
    current = next;
    LOG.warn("etcd at {} does not answer ({}): asking {} from now on", left, why, current());
    over(now);
    inBackground(() -> left.abandonAll("its member of etcd does not answer"));
  }

  private String describe(long now) {
    return IntStream.range(0, probes.length)
        .mapToObj(i -> members.get(i) + " (" + text(probes[i], now) + ")")
        .collect(Collectors.joining(", "));
  }

  /** Runs an action without this object's lock, because the action takes locks of its own. */
  private static void inBackground(Runnable action) {
    Thread.ofVirtual().name("etcd-members").start(action);
  }

  private static String text(Probe probe, long now) {
    var failure = probe.failure;
    return failure != null
        ? failure
        : "no answer for " + TimeUnit.NANOSECONDS.toMillis(now - probe.sentAt) + " ms";
  }

  private static long nanos(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }

  synchronized void close() {
    closed = true;
  }
}
