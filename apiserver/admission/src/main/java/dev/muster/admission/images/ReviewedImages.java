package dev.muster.admission.images;

import dev.muster.model.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Caches the answers of the image policy webhook for their TTL; the least recently used go first.
 * Thread-safe.
 */
final class ReviewedImages {
  private static final int MOST = 1024;

  /** Longer questions are not cached, because clients choose their length. */
  private static final int LONGEST_QUESTION = 10_000;

  private record Answer(JsonObject status, Instant until) {}

  private final InstantSource clock;
  private final Map<String, Answer> answers =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Answer> eldest) {
          return size() > MOST;
        }
      };

  ReviewedImages(InstantSource clock) {
    this.clock = clock;
  }

  synchronized @Nullable JsonObject find(String question) {
    var answer = answers.get(question);
    if (answer == null || clock.instant().isBefore(answer.until)) {
      return answer == null ? null : answer.status;
    }
    answers.remove(question);
    return null;
  }

  synchronized void put(String question, JsonObject status, Duration ttl) {
    if (!ttl.isZero() && question.length() <= LONGEST_QUESTION) {
      answers.put(question, new Answer(status, clock.instant().plus(ttl)));
    }
  }
}
