package dev.muster.server.request;

import dev.muster.http.Header;
import dev.muster.types.scheduling.CpuTask;
import dev.muster.types.scheduling.WaitListener;
import java.util.List;

/** What a request holds while it runs, and gives back. Safe for any thread. */
public interface Seat extends WaitListener {
  /** Of a request that needs none. */
  Seat NONE =
      new Seat() {
        @Override
        public void answered(int status) {}
      };

  /** What its answer says about it. */
  default List<Header> headers() {
    return List.of();
  }

  /** The answer begins with that status. */
  void answered(int status);

  /**
   * The request waits for a program outside of the server, until that is closed.
   *
   * @throws dev.muster.model.status.ApiException 429 when too many requests wait so
   */
  default CpuTask.Waiting waitingForOthers() {
    return () -> {};
  }

  /** A watch is open. */
  default void watchOpened() {}

  /**
   * A watch has sent what it begins with, or its client takes its time, or it is somebody else's.
   */
  default void watchInitialised() {}

  /** A watch is over. */
  default void watchClosed() {}
}
