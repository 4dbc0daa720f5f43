package dev.muster.admission.objects;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;

/** Token buckets by key; the least recently used buckets are dropped. Thread-safe. */
final class TokenBuckets {
  private record Bucket(double tokens, Instant filled) {}

  private final double perSecond;
  private final double most;
  private final InstantSource clock;
  private final Map<String, Bucket> buckets;

  /**
   * @param most the capacity of a bucket; a new one is full
   * @param kept the largest number of buckets
   */
  TokenBuckets(double perSecond, double most, int kept, InstantSource clock) {
    this.perSecond = perSecond;
    this.most = most;
    this.clock = clock;
    this.buckets =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1;

          @Override
          protected boolean removeEldestEntry(Map.Entry<String, Bucket> eldest) {
            return size() > kept;
          }
        };
  }

  /** Takes a token; returns false when there is none. */
  synchronized boolean take(String key) {
    var now = clock.instant();
    var bucket = buckets.get(key);
    double tokens = bucket == null ? most : refilled(bucket, now);
    boolean taken = tokens >= 1;
    buckets.put(key, new Bucket(taken ? tokens - 1 : tokens, now));
    return taken;
  }

  private double refilled(Bucket bucket, Instant now) {
    double seconds = Duration.between(bucket.filled(), now).toNanos() / 1e9;
    return Math.min(most, bucket.tokens() + Math.max(0, seconds) * perSecond);
  }
}
