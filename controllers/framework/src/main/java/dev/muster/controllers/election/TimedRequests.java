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
 * Used by one thread, which it blocks; any other may abandon its request. Each request runs on a
 * virtual thread of its own, so that its caller goes on in time even where the client or the API
 * server hangs.
 */
final class TimedRequests implements LeaseRequests {
  private static final String JSON = "application/json";

  private final ApiRequests requests;
  private volatile @Nullable FutureTask<Answer> current;

  TimedRequests(ApiRequests requests) {
    this.requests = requests;
  }

  /** Ends the request that is on its way, without an answer. */
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
