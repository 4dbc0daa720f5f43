package dev.muster.authorization.modes;

import dev.muster.authorization.Decision;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Caches the decisions of an authorization webhook for their TTL. The number and the total size of
 * the entries are bounded; the least recently used go first. Thread-safe.
 */
final class AnswerCache {
  private static final int MOST_ANSWERS = 8192;
  private static final long MOST_CHARACTERS = 16L << 20;

  private record Answer(Decision decision, long until) {}

  private final LongSupplier nanoTime;
  private final LinkedHashMap<String, Answer> answers = new LinkedHashMap<>(16, 0.75f, true);
  private long characters;

  AnswerCache(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  synchronized @Nullable Decision find(String question) {
    var answer = answers.get(question);
    if (answer == null) {
      return null;
    }
    if (answer.until - nanoTime.getAsLong() <= 0) {
      remove(question);
      return null;
    }
    return answer.decision;
  }

  synchronized void put(String question, Decision decision, Duration ttl) {
    if (ttl.isZero() || ttl.isNegative()) {
      return;
    }
    remove(question);
    answers.put(question, new Answer(decision, nanoTime.getAsLong() + ttl.toNanos()));
    characters += size(question, decision);
    while (answers.size() > MOST_ANSWERS || characters > MOST_CHARACTERS) {
      remove(answers.firstEntry().getKey());
    }
  }

  private void remove(String question) {
    var answer = answers.remove(question);
    if (answer != null) {
      characters -= size(question, answer.decision);
    }
  }

  private static long size(String question, Decision decision) {
    return (long) question.length() + decision.reason().length() + decision.error().length();
  }

  synchronized int size() {
    return answers.size();
  }
}
