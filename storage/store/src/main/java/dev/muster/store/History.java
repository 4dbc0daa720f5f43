package dev.muster.store;

import java.time.Duration;
import java.util.ArrayDeque;

/**
 * Decides which revisions are old enough to compact: it samples the revision of the log over time.
 * Only one thread uses it.
 */
public final class History {
  /** How long stores keep history by default, the same as kube-apiserver. */
  public static final Duration DEFAULT = Duration.ofMinutes(5);

  private record Sample(long millis, long revision) {}

  private final long keepMillis;
  private final ArrayDeque<Sample> samples = new ArrayDeque<>();

  public History(Duration keep) {
    this.keepMillis = keep.toMillis();
  }

  /**
   * How often to call {@link #sample}. History lasts the configured time and up to one interval
   * more.
   */
  public long intervalMillis() {
    return Math.max(1, keepMillis / 5);
  }

  /**
   * Records the current revision. Returns the newest revision that the log had already reached
   * before the history to keep began; 0 when no sample is that old.
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
