package dev.muster.types.scheduling;

import java.util.function.Supplier;

/**
 * Releases what a request holds while its thread waits for an external program, such as a webhook,
 * which may take long: its place in the {@link FairScheduler} and the server's own resources.
 * Thread-safe.
 */
public final class OutboundWait {
  private static final ScopedValue<Supplier<CpuTask.Waiting>> REQUEST = ScopedValue.newInstance();

  private OutboundWait() {}

  /**
   * Runs the task of a request.
   *
   * @param leave called on the thread that begins to wait; the same thread closes the result
   */
  public static void during(Supplier<CpuTask.Waiting> leave, Runnable task) {
    ScopedValue.where(REQUEST, leave).run(task);
  }

  /**
   * Begins a wait of this thread, until the result is closed. When it throws, the caller must not
   * make its call.
   *
   * @throws dev.muster.model.status.ApiException 429 when too many requests wait for external
   *     programs
   */
  public static CpuTask.Waiting begin() {
    if (!REQUEST.isBound()) {
      return CpuTask.waiting();
    }
    var left = REQUEST.get().get();
    var turn = CpuTask.waiting();
    return () -> {
      left.close();
      turn.close();
    };
  }
}
