package dev.muster.replica.snapshot;

import java.util.ArrayList;
import java.util.List;

/**
 * What a replica can look back on. Immutable.
 *
 * @param start the revision of the first image: nothing before it is known
 * @param whole from this revision on every state is known
 * @param gaps the stretches that were passed over by loading a new image
 */
public record HistoryLimits(long start, long whole, List<Gap> gaps) {
  private static final int MOST_GAPS = 32;

  /** Commits after the first and before the second revision were never seen one by one. */
  record Gap(long after, long before) {}

  public static HistoryLimits from(long revision) {
    return new HistoryLimits(revision, revision, List.of());
  }

  /** With one more gap, at the end. */
  public HistoryLimits skip(long after, long before) {
    var all = new ArrayList<>(gaps);
    all.add(new Gap(after, before));
    if (all.size() <= MOST_GAPS) {
      return new HistoryLimits(start, before, List.copyOf(all));
    }
    var oldest = all.removeFirst();
    return new HistoryLimits(oldest.before, before, List.copyOf(all));
  }

  /**
   * The revision from which a watch after that revision could start at the earliest. A watcher that
   * comes from inside a gap may know objects that came and went in it, whose deletion nobody here
   * has seen.
   */
  public long watchableFrom(long revision) {
    for (var gap : gaps) {
      if (gap.after < revision && revision < gap.before) {
        return gap.before;
      }
    }
    return Math.max(start, revision);
  }
}
