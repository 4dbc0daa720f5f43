package dev.muster.controllers.election;

import dev.muster.controllers.client.ApiRequests;
import dev.muster.controllers.client.JsonTrees;
import dev.muster.model.json.JsonObject;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Sends each Lease request on its own virtual thread, so that the caller continues in time even if
 * the client or the API server hangs. One thread uses it and blocks; any thread may call {@link
 * #abandon}.
 */
final class TimedRequests implements LeaseRequests {
  private static final String JSON = "application/json";

  private final ApiRequests requests;
  private volatile @Nullable FutureTask<Answer> current;

  TimedRequests(ApiRequests requests) {
    this.requests = requests;
  }

  /** Ends the current request without a response. */
  void abandon() {
    var request = current;
    if (request != null) {
      request.cancel(true);
    }
  }

  @Override
  public Answer send(String method, String path, JsonObject body, Duration patience)
      throws InterruptedException {
    var request =
        new FutureTask<Answer>(
            () -> {
              var sent = body.isEmpty() ? "" : body.toString();
              var answer = requests.sendText(method, path, JSON, JSON, sent);
              return new Answer(answer.code(), JsonTrees.object(answer.body()));
            });
    current = request;
    Thread.ofVirtual().name("lease-request").start(request);
    try {
      return request.get(Math.max(0, patience.toNanos()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new LeaseUnreachable("the API server does not answer");
    } catch (ExecutionException e) {
      var cause = e.getCause() == null ? e : e.getCause();
      throw new LeaseUnreachable(String.valueOf(cause.getMessage()));
    } catch (CancellationException e) {
      throw new LeaseUnreachable("the request was abandoned");
    } finally {
      current = null;
      request.cancel(true);
    }
  }
}
