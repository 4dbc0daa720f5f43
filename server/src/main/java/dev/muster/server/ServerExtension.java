package dev.muster.server;

import dev.muster.registry.admission.Admission;

/**
 * What runs beside the request path of one server and belongs to it, such as its membership of a
 * fleet. Each server has extensions of its own.
 */
public interface ServerExtension {
  /** Before the server listens: adds checks and metrics and keeps what it needs; never blocks. */
  void attach(ServerHost host);

  /** What else changes or refuses writes, after all admission plugins. Asked for once. */
  default Admission admission() {
    return Admission.NONE;
  }

  /** The server listens. Called once, on a virtual thread of its own; may block and may go on. */
  void start() throws InterruptedException;

  /**
   * The server begins to stop and still answers. Ends what {@link #start} began, takes back what
   * others should not see of a server that is gone, and returns within seconds. May come without a
   * start.
   */
  void leave();
}
