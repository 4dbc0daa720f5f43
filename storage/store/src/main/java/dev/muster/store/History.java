package dev.muster.store;

import java.time.Duration;
import java.util.ArrayDeque;

/**
 * Owned by one thread: remembers which revision the log had reached when, and so which revisions
 * are older than the history to keep.
 */
public final class History {
  /** How long engines keep history unless told otherwise, as kube-apiserver does. */
  public static final Duration DEFAULT = Duration.ofMinutes(5);

  private record Sample(long millis, long revision) {}

  private final long keepMillis;
  private final ArrayDeque<Sample> samples = new ArrayDeque<>();

  public History(Duration keep) {
    this.keepMillis = keep.toMillis();
  }

  /** How often to sample: history is kept for at least the wished time and one interval more. */
  public long intervalMillis() {
    return Math.max(1, keepMillis / 5);
  }

  /**
   * Notes the revision reached now and answers the newest one that had been reached before the
   * history to keep began; 0 when nothing is that old.
   */
  public long sample(long nowMillis, long revision) {
    samples.addLast(new Sample(nowMillis, revision));
    long old = 0;
    for (var oldest = samples.peekFirst();
        oldest != null && oldest.millis() <= nowMillis - keepMillis;
        oldest = samples.peekFirst()) {
      old = oldest.revision();
      samples.removeFirst();
    }
    return old;
  }
}
