package dev.muster.server.chain;

import dev.muster.server.request.Request;

/**
 * Decides which requests run, which wait in a queue and which are rejected. The event loop of each
 * request calls it.
 */
public interface FlowControl {
  /** Assigns the request to its flow, as soon as its user is known. */
  void classify(Request request);

  /**
   * Runs {@code next} at once, or later on the request's event loop. The request releases its seat
   * when it is answered.
   *
   * @throws dev.muster.model.status.ApiException when the request is rejected
   */
  void admit(Request request, Runnable next);
}
