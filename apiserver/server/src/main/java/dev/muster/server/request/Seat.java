package dev.muster.server.request;

import dev.muster.http.Header;
import dev.muster.types.scheduling.CpuTask;
import dev.muster.types.scheduling.WaitListener;
import java.util.List;

/** The seat in flow control that a request holds while it runs. Thread-safe. */
public interface Seat extends WaitListener {
  /** The seat of a request that needs none. */
  Seat NONE =
      new Seat() {
        @Override
        public void answered(int status) {}
      };

  /** Response headers that name the FlowSchema and the priority level. */
  default List<Header> headers() {
    return List.of();
  }

  /** The response begins with that status. */
  void answered(int status);

  /**
   * The request waits for a program outside of the server until the result is closed.
   *
   * @throws dev.muster.model.status.ApiException 429 when too many requests wait for such programs
   */
  default CpuTask.Waiting waitingForOthers() {
    return () -> {};
  }

  /** A watch has begun. */
  default void watchOpened() {}

  /** A watch has sent its initial events, its client is slow, or the watch is forwarded. */
  default void watchInitialised() {}

  /** A watch has ended. */
  default void watchClosed() {}
}
