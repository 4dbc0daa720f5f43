package dev.muster.replica.snapshot;

import java.util.ArrayList;
import java.util.List;

/**
 * The revisions that a replica can still read or watch. Immutable.
 *
 * @param start the revision of the first image; the replica knows no earlier state
 * @param whole the revision from which on the replica knows every state
 * @param gaps the revisions that the replica skipped when it loaded new images
 */
public record HistoryLimits(long start, long whole, List<Gap> gaps) {
  private static final int MOST_GAPS = 32;

  /** The replica did not see the commits between these two revisions one by one. */
  record Gap(long after, long before) {}

  public static HistoryLimits from(long revision) {
    return new HistoryLimits(revision, revision, List.of());
  }

  /** Adds a gap at the end. */
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
   * The earliest revision from which a watch after that revision can start. A client that comes
   * from inside a gap may know objects that were created and deleted in it; this replica has no
   * events of their deletion.
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
