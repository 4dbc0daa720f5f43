package dev.muster.controllers.election;

import dev.muster.model.json.JsonObject;
import java.time.Duration;

/** Sends requests about one Lease. An answer that is late is no answer. */
interface LeaseRequests {
  /** An HTTP status and a body, which is a Status where the request failed. */
  record Answer(int code, JsonObject body) {
    boolean succeeded() {
      return code >= 200 && code < 300;
    }
  }

  /**
   * Blocks until the answer is there, at most as long as the given time.
   *
   * @throws LeaseUnreachable without an answer in time
   */
  Answer send(String method, String path, JsonObject body, Duration patience)
      throws InterruptedException;

  /** The API server did not answer, or not in time. */
  final class LeaseUnreachable extends RuntimeException {
    private static final long serialVersionUID = 1;

    LeaseUnreachable(String message) {
      super(message);
    }
  }
}
