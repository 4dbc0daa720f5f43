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
 * Safe for any thread; never blocks. Asks an authenticator that takes long, on threads for that,
 * and remembers its answers for a while. All that ask about one token at a time share one question,
 * and there is a bound on how many questions there are.
 */
public final class TokenLookups {
  private static final Logger log = LoggerFactory.getLogger(TokenLookups.class);
  private static final int MOST_REMEMBERED = 32_768;

  /** Beyond it, strangers with invented tokens wait for nobody and are refused. */
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
   * How long answers count.
   *
   * @param good of tokens that have an owner
   * @param unknown of tokens that nobody knows; a question that failed is never remembered
   */
  public record Times(Duration good, Duration unknown) {}

  /** What is known of a token. */
  public sealed interface Answer {}

  public record Found(TokenUser owner) implements Answer {}

  /** It is not one of the authenticator's, or it is and is wrong. */
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
   * Whose the token is; there at once when that is remembered, and otherwise later, on a thread of
   * its own.
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

  /** Unless the authenticator has changed since it was asked. */
  private synchronized void remember(Question question, Remembered answer, long then) {
    if (then == generation) {
      remembered.put(question, answer);
    }
  }

  /** From now on, everything is asked anew: the authenticator has changed. */
  public synchronized void forget() {
    generation++;
    asked.clear();
    remembered.clear();
  }

  int underWay() {
    return asked.size();
  }
}
