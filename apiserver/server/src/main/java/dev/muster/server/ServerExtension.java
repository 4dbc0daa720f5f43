package dev.muster.server;

import dev.muster.authorization.Authorizer;
import dev.muster.registry.admission.Admission;
import java.util.List;

/**
 * What runs beside the request path of one server and belongs to it, such as its membership of a
 * fleet. Each server has extensions of its own.
 */
public interface ServerExtension {
  /**
   * Who may object to writes besides the server's own plugins, in that order. Asked first of all.
   *
   * @param authorizer says who may do what, as requests are judged by
   */
  default List<Admission> admission(Authorizer authorizer) {
    return List.of();
  }

  /** Before the server listens: adds checks and metrics and keeps what it needs; never blocks. */
  void attach(ServerHost host);

  /** The server listens. Called once, on a virtual thread of its own; may block and may go on. */
  void start() throws InterruptedException;

  /**
   * The server begins to stop and still answers. Ends what {@link #start} began, takes back what
   * others should not see of a server that is gone, and returns within seconds. May come without a
   * start.
   */
  void leave();
}
