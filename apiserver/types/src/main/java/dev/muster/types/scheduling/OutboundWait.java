package dev.muster.types.scheduling;

import java.util.function.Supplier;

/**
 * Safe for any thread. A request's thread that waits for a program outside of the server, which may
 * take as long as it likes, gives others what it holds and does not use meanwhile: its place among
 * those that use the CPU, and whatever the server knows of.
 */
public final class OutboundWait {
  private static final ScopedValue<Supplier<CpuTask.Waiting>> REQUEST = ScopedValue.newInstance();

  private OutboundWait() {}

  /**
   * Runs the task of a request.
   *
   * @param leave called on the thread that begins to wait; what it answers is closed by the same
   *     thread
   */
  public static void during(Supplier<CpuTask.Waiting> leave, Runnable task) {
    ScopedValue.where(REQUEST, leave).run(task);
  }

  /**
   * This thread waits until it is closed. Nothing is asked of anybody when it throws.
   *
   * @throws dev.muster.model.status.ApiException 429 when too many requests wait so
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
