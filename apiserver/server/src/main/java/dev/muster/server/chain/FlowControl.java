package dev.muster.server.chain;

import dev.muster.server.request.Request;

/** Who runs now, who waits and who is sent away. On the event loops of the requests. */
public interface FlowControl {
  /** Finds out to whom the request counts, as soon as it is known who sends it. */
  void classify(Request request);

  /**
   * Goes on at once, or on the request's event loop when it may. What it holds then it gives back
   * when it is answered.
   *
   * @throws dev.muster.model.status.ApiException when it is sent away
   */
  void admit(Request request, Runnable next);
}
