package dev.muster.server.request;

import dev.muster.http.Header;
import dev.muster.model.status.ApiException;
import dev.muster.registry.commit.StoreGateway;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Translates a failure into the {@code Status} that the client receives. The Status says what the
 * client can act on, and nothing about the server's internals.
 */
final class FailureTranslation {
  private static final Logger LOG = LoggerFactory.getLogger(FailureTranslation.class);

  private FailureTranslation() {}

  /** Translates the failure. Unexpected failures also go to the log and to the audit log. */
  static ApiException of(Throwable failure, Request request) {
    var cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (StoreGateway.translate(cause) instanceof ApiException answer) {
      return answer;
    }
    var info = request.info();
    LOG.error("{} {} failed, audit ID {}", info.verb(), info.path(), request.auditId(), cause);
    var audit = request.audit();
    if (audit != null) {
      audit.panicked(cause);
    }
    return ApiException.internal("the server failed; its log has the details");
  }

  /**
   * The headers of an error response.
   *
   * @param unsniffed whether browsers must not guess the content type
   */
  static List<Header> headers(ApiException answer, boolean unsniffed) {
    var headers = new ArrayList<Header>();
    if (unsniffed) {
      headers.add(new Header("x-content-type-options", "nosniff"));
    }
    int seconds = answer.details().retryAfterSeconds();
    if (seconds > 0) {
      headers.add(new Header("retry-after", Integer.toString(seconds)));
    }
    return headers;
  }
}
