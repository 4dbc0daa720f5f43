package dev.muster.http.exchange;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owned by one event loop. What others want to have done when an exchange goes on or ends; a task
 * that fails keeps none of the others from running.
 */
final class ExchangeTasks {
  private static final Logger log = LoggerFactory.getLogger(ExchangeTasks.class);

  private boolean ended;
  private boolean cancelled;
  private @Nullable List<Runnable> cancel;
  private @Nullable Runnable writable;
  private @Nullable Runnable close;
  private @Nullable Runnable end;

  void onWritable(Runnable task) {
    writable = task;
  }

  void becameWritable() {
    run(writable);
  }

  /** Runs when the exchange ends, however it does. */
  void onClose(Runnable task) {
    if (ended) {
      run(task);
    } else {
      close = task;
    }
  }

  /** Runs when the client goes before its answer is complete. */
  void onCancel(Runnable task) {
    if (cancelled) {
      run(task);
    } else if (!ended) {
      if (cancel == null) {
        cancel = new ArrayList<>(1);
      }
      cancel.add(task);
    }
  }

  /** Runs after everything else. */
  void onEnd(Runnable task) {
    if (ended) {
      run(task);
    } else {
      end = task;
    }
  }

  /** Runs what waits for the end, once. */
  void end(boolean early) {
    ended = true;
    cancelled = early;
    var cancels = cancel;
    cancel = null;
    writable = null;
    if (early && cancels != null) {
      cancels.forEach(ExchangeTasks::run);
    }
    var closing = close;
    close = null;
    run(closing);
    var last = end;
    end = null;
    run(last);
  }

  static void run(@Nullable Runnable task) {
    if (task != null) {
      try {
        task.run();
      } catch (RuntimeException | Error e) {
        log.error("a task of an exchange failed", e);
      }
    }
  }
}
