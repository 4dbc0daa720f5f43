package dev.muster.authentication;

import dev.muster.authentication.TokenAuthenticator.TokenUser;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a blocking authenticator on its own threads and caches its answers. Lookups of the same
 * token share one question, and the number of concurrent questions is bounded. Thread-safe. Never
 * blocks.
 */
public final class TokenLookups {
  private static final Logger log = LoggerFactory.getLogger(TokenLookups.class);
  private static final int MOST_REMEMBERED = 32_768;

  /**
   * Beyond this number of concurrent questions, lookups are refused at once, so that clients with
   * invented tokens cannot queue without bound.
   */
  private static final int MOST_ASKED = 4_096;

  private final TokenAuthenticator slow;
  private final Times times;
  private final InstantSource clock;
  private final Executor threads;
  private final TokenLookupObserver observer;
  private final TokenCache<Question, Remembered> remembered = new TokenCache<>(MOST_REMEMBERED);
  private final ConcurrentHashMap<Question, CompletableFuture<Answer>> asked =
      new ConcurrentHashMap<>();
  private volatile long generation;

  /**
   * How long answers stay in the cache.
   *
   * @param good for tokens with a user
   * @param unknown for unknown tokens; failed questions are never cached
   */
  public record Times(Duration good, Duration unknown) {}

  /** The result of a lookup. */
  public sealed interface Answer {}

  public record Found(TokenUser owner) implements Answer {}

  /** The authenticator does not know the token, or it refused the token for the given reason. */
  public record Unknown(@Nullable RefusedCredentials why) implements Answer {}

  private record Question(TokenHash token, List<String> audiences) {}

  private record Remembered(Answer answer, long until) {}

  public TokenLookups(
      TokenAuthenticator slow,
      Times times,
      InstantSource clock,
      Executor threads,
      TokenLookupObserver observer) {
    this.observer = observer;
    this.slow = slow;
    this.times = times;
    this.clock = clock;
    this.threads = threads;
  }

  /**
   * Looks a token up. The future is already complete when the answer is cached; otherwise one of
   * the lookup threads completes it.
   */
  public CompletableFuture<Answer> find(BearerToken bearerToken, List<String> audiences) {
    long start = System.nanoTime();
    var question = new Question(bearerToken.hash(), audiences);
    var known = remembered.get(question);
    if (known != null && clock.millis() < known.until()) {
      observer.answered(true, System.nanoTime() - start);
      return CompletableFuture.completedFuture(known.answer());
    }
    var answer = new CompletableFuture<Answer>();
    var other = asked.putIfAbsent(question, answer);
    if (other != null) {
      observer.waiting(true);
      return other.whenComplete(
          (found, failure) -> {
            observer.waiting(false);
            observer.answered(false, System.nanoTime() - start);
          });
    }
    try {
      if (asked.size() > MOST_ASKED) {
        throw new RejectedExecutionException();
      }
      threads.execute(() -> ask(question, bearerToken, answer));
    } catch (RejectedExecutionException e) {
      asked.remove(question, answer);
      answer.complete(new Unknown(new RefusedCredentials("too many tokens are looked up")));
    }
    return answer.whenComplete(
        (found, failure) -> observer.answered(false, System.nanoTime() - start));
  }

  private void ask(Question question, BearerToken bearerToken, CompletableFuture<Answer> answer) {
    long then = generation;
    observer.asking();
    var found = ask(bearerToken, question.audiences());
    observer.asked(!(found instanceof Unknown unknown && unknown.why() != null));
    var counts =
        switch (found) {
          case Found ignored -> times.good();
          case Unknown unknown -> unknown.why() == null ? times.unknown() : Duration.ZERO;
        };
    if (counts.isPositive()) {
      remember(question, new Remembered(found, clock.millis() + counts.toMillis()), then);
    }
    asked.remove(question, answer);
    answer.complete(found);
  }

  private Answer ask(BearerToken bearerToken, List<String> audiences) {
    try {
      var owner = slow.authenticate(bearerToken, audiences);
      return owner == null ? new Unknown(null) : new Found(owner);
    } catch (RefusedCredentials e) {
      return new Unknown(e);
    } catch (RuntimeException | Error e) {
      log.error("a token could not be looked up", e);
      return new Unknown(new RefusedCredentials("authentication failed unexpectedly"));
    }
  }

  /** Does nothing if {@link #forget} was called after the question was asked. */
  private synchronized void remember(Question question, Remembered answer, long then) {
    if (then == generation) {
      remembered.put(question, answer);
    }
  }

  /** Empties the cache after the authenticator has changed. */
  public synchronized void forget() {
    generation++;
    asked.clear();
    remembered.clear();
  }

  int underWay() {
    return asked.size();
  }
}
