package dev.muster.server;

import dev.muster.authorization.Authorizer;
import dev.muster.registry.admission.Admission;
import java.util.List;

/**
 * A component that runs beside the request path of one server, such as its membership of a fleet.
 * Each server has its own extensions.
 */
public interface ServerExtension {
  /**
   * Admission plugins of this extension, in their order. The server asks for them first of all.
   *
   * @param authorizer the authorizer of the server's requests
   */
  default List<Admission> admission(Authorizer authorizer) {
    return List.of();
  }

  /**
   * Adds checks and metrics, and stores the parts that the extension needs. The server calls it
   * before it listens. Never blocks.
   */
  void attach(ServerHost host);

  /**
   * Starts the extension; the server listens by now. Called once, on a virtual thread of its own.
   * May block, and may run until the server stops.
   */
  void start() throws InterruptedException;

  /**
   * Ends the work of {@link #start}, and withdraws records of the server that its peers must not
   * see after it is gone. The server begins to stop and still answers. Returns within seconds. May
   * be called without a start.
   */
  void leave();
}
