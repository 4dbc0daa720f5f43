package dev.muster.replica.snapshot;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Decides which labels of a collection are worth an index. Readers count lookups; the applier
 * evaluates the counts. A label gets an index after lookups have scanned several times the size of
 * the collection within one period, and loses it after a longer period without lookups.
 */
public final class LabelDemand {
  private static final int SMALLEST_COLLECTION = 1_000;
  private static final int MOST_INDEXES = 4;
  private static final int MOST_LABELS = 64;
  private static final int SCANS_THAT_PAY = 4;

  private final ConcurrentHashMap<String, AtomicLong> scanned = new ConcurrentHashMap<>();

  /** Records that a lookup by that label scans this many objects. */
  void scan(String key, int objects) {
    var count = scanned.get(key);
    if (count == null) {
      if (scanned.size() >= MOST_LABELS) {
        return;
      }
      count = scanned.computeIfAbsent(key, _ -> new AtomicLong());
    }
    count.addAndGet(objects);
  }

  /** Records that a lookup used the label's index. */
  void hit(String key) {
    scan(key, 1);
  }

  /**
   * The labels that should have an index, given those that have one. A review starts the next
   * period.
   */
  public List<String> wanted(int size, List<String> indexed, boolean review) {
    var wanted = new ArrayList<String>();
    for (var key : indexed) {
      if (!review || scanned.containsKey(key)) {
        wanted.add(key);
      }
    }
    if (size >= SMALLEST_COLLECTION) {
      scanned.forEach(
          (key, count) -> {
            if (count.get() >= (long) SCANS_THAT_PAY * size
                && wanted.size() < MOST_INDEXES
                && !wanted.contains(key)) {
              wanted.add(key);
            }
          });
    }
    if (review) {
      scanned.clear();
    }
    return wanted;
  }

  public boolean isIdle() {
    return scanned.isEmpty();
  }
}
