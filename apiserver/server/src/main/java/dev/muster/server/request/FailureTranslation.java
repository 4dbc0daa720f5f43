package dev.muster.server.request;

import dev.muster.http.Header;
import dev.muster.model.status.ApiException;
import dev.muster.registry.commit.StoreGateway;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a client is told of a failure: what it can act on, and nothing of the server's inside. */
final class FailureTranslation {
  private static final Logger LOG = LoggerFactory.getLogger(FailureTranslation.class);

  private FailureTranslation() {}

  /** The failure as an answer; one that nobody foresaw goes to the log and the audit log. */
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
   * The headers that such an answer has beside its Status.
   *
   * @param unsniffed whether browsers are kept from guessing what it is
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
