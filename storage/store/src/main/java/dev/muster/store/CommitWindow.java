package dev.muster.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The latest commits of the log, kept in memory, from which feeds read the tail of the log.
 * Revisions in the window have no gaps. Thread-safe: one lock guards it.
 */
public final class CommitWindow {
  private static final int SMALLEST = 64;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition grown = lock.newCondition();
  private final int maxCommits;
  private final long maxBytes;
  private @Nullable Commit[] ring = new Commit[SMALLEST];
  private long first;
  private long last;
  private long bytes;
  private boolean closed;

  /**
   * An empty window after that revision. The window drops its oldest commits beyond either limit.
   */
  public CommitWindow(long lastRevision, int maxCommits, long maxBytes) {
    this.maxCommits = maxCommits;
    this.maxBytes = maxBytes;
    first = lastRevision + 1;
    last = lastRevision;
  }

  /** Appends commits. Their revisions must continue the window without a gap. */
  public void append(List<Commit> commits) {
    lock.lock();
    try {
      for (var commit : commits) {
        if (commit.revision() != last + 1) {
          throw new IllegalStateException(
              "revision " + commit.revision() + " does not follow " + last);
        }
        if (last - first + 1 == ring.length) {
          grow();
        }
        last++;
        ring[slot(last)] = commit;
        bytes += size(commit);
      }
      while (first <= last && (last - first >= maxCommits || bytes > maxBytes)) {
        dropFirst();
      }
      grown.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Drops every commit up to and including that revision. */
  public void forget(long throughRevision) {
    lock.lock();
    try {
      while (first <= last && first <= throughRevision) {
        dropFirst();
      }
      grown.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns all commits after that revision, or null when the window has already dropped the next
   * one. Waits up to {@code patience} for the first commit; returns an empty list when none comes.
   *
   * @throws StoreException.Closed when the window was closed
   */
  public @Nullable List<Commit> after(long revision, Duration patience)
      throws InterruptedException {
    var left = patience.toNanos();
    lock.lockInterruptibly();
    try {
      while (true) {
        if (closed) {
          throw new StoreException.Closed();
        }
        if (revision < first - 1) {
          return null;
        }
        if (revision < last) {
          var commits = new ArrayList<Commit>((int) (last - revision));
          for (var next = revision + 1; next <= last; next++) {
            commits.add(at(next));
          }
          return commits;
        }
        if (left <= 0) {
          return List.of();
        }
        left = grown.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Wakes all waiting readers; their calls throw {@link StoreException.Closed}. */
  public void close() {
    lock.lock();
    try {
      closed = true;
      grown.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private Commit at(long revision) {
    var commit = ring[slot(revision)];
    if (commit == null) {
      throw new IllegalStateException("revision " + revision + " is missing");
    }
    return commit;
  }

  private void dropFirst() {
    bytes -= size(at(first));
    ring[slot(first)] = null;
    first++;
  }

  private void grow() {
    var larger = new Commit[ring.length * 2];
    for (var revision = first; revision <= last; revision++) {
      larger[(int) (revision & (larger.length - 1))] = at(revision);
    }
    ring = larger;
  }

  private int slot(long revision) {
    return (int) (revision & (ring.length - 1));
  }

  private static long size(Commit commit) {
    long size = 64;
    for (var change : commit.changes()) {
      var value = change.value();
      size += 64 + change.key().length() + (value == null ? 0 : value.length);
    }
    return size;
  }
}
