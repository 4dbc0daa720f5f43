package dev.muster.server.chain;

import dev.muster.http.ServerResponse;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.model.status.StatusDetails;
import dev.muster.server.answer.StatusBody;
import dev.muster.wire.JsonWriter;

/** Renders HTTP errors that the connection finds as a {@code Status}. */
public final class ProtocolErrors {
  private ProtocolErrors() {}

  static ApiException of(int status, String message) {
    return switch (status) {
      case 413 ->
          new ApiException(Reason.REQUEST_ENTITY_TOO_LARGE, status, message, StatusDetails.NONE);
      case 429 ->
          new ApiException(
              Reason.TOO_MANY_REQUESTS, status, message, StatusDetails.NONE.withRetryAfter(1));
      case 500 -> new ApiException(Reason.INTERNAL_ERROR, status, message, StatusDetails.NONE);
      default -> new ApiException(Reason.BAD_REQUEST, status, message, StatusDetails.NONE);
    };
  }

  /** The response to a request that reached no handler. */
  public static ServerResponse answer(int status, String message) {
    return ServerResponse.of(
        status, "application/json", JsonWriter.line(StatusBody.of(of(status, message))));
  }
}
