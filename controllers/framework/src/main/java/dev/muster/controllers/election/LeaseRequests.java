package dev.muster.controllers.election;

import dev.muster.model.json.JsonObject;
import java.time.Duration;

/** Sends requests about one Lease with a time limit. */
interface LeaseRequests {
  /** The HTTP status and the body, which is a Status after a failure. */
  record Answer(int code, JsonObject body) {
    boolean succeeded() {
      return code >= 200 && code < 300;
    }
  }

  /**
   * Blocks until the response arrives, at most for the given time.
   *
   * @throws LeaseUnreachable without a response in time
   */
  Answer send(String method, String path, JsonObject body, Duration patience)
      throws InterruptedException;

  /** The API server did not answer in time. */
  final class LeaseUnreachable extends RuntimeException {
    private static final long serialVersionUID = 1;

    LeaseUnreachable(String message) {
      super(message);
    }
  }
}
