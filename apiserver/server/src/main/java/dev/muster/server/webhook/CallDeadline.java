package dev.muster.server.webhook;

import dev.muster.registry.commit.Deadline;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * The time that a webhook call may take: until its deadline, or until its client has gone.
 *
 * @param gone completed when the response is no longer needed
 */
record CallDeadline(Deadline deadline, CompletableFuture<Void> gone) {

  boolean isOver() {
    return deadline.isOver() || gone.isDone();
  }

  Duration left() {
    return Duration.ofNanos(deadline.remainingNanos());
  }

  /**
   * Waits for a result.
   *
   * @param begun whether a response has begun, checked when the wait ends without a result
   */
  <T> T await(CompletableFuture<T> future, BooleanSupplier begun) throws ExchangeException {
    try {
      var _ =
          CompletableFuture.anyOf(future, gone)
              .get(deadline.remainingNanos(), TimeUnit.NANOSECONDS);
      if (!future.isDone()) {
        throw new ExchangeException("context canceled", begun.getAsBoolean());
      }
      return future.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof ExchangeException failure
          ? failure
          : new ExchangeException(String.valueOf(e.getCause()), begun.getAsBoolean());
    } catch (TimeoutException e) {
      throw new ExchangeException("context deadline exceeded", begun.getAsBoolean());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ExchangeException("the server is stopping", begun.getAsBoolean());
    }
  }
}
