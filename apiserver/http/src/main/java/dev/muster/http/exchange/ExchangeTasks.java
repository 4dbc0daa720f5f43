package dev.muster.http.exchange;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Callbacks for the progress and the end of an exchange. Only the event loop of the connection uses
 * it. A callback that fails does not stop the others.
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

  /** Runs when the exchange ends for any reason. */
  void onClose(Runnable task) {
    if (ended) {
      run(task);
    } else {
      close = task;
    }
  }

  /** Runs when the client goes away before its response is complete. */
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

  /** Runs after all other callbacks. */
  void onEnd(Runnable task) {
    if (ended) {
      run(task);
    } else {
      end = task;
    }
  }

  /** Runs the callbacks of the end, once. */
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
