package dev.muster.authorization.modes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.authorization.Decision;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What a webhook has answered, for as long as that counts. */
class AnswerCacheTest {
  private static final Decision YES = Decision.allow("because");

  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
  private final AnswerCache cache = new AnswerCache(now::get);

  @Test
  void anAnswerCountsForItsTime() {
    cache.put("q", YES, Duration.ofSeconds(1));
    assertThat(cache.find("q")).isEqualTo(YES);
    now.addAndGet(999_999_999);
    assertThat(cache.find("q")).isEqualTo(YES);
    now.incrementAndGet();
    assertThat(cache.find("q")).isNull();
    assertThat(cache.size()).isZero();
  }

  @Test
  void withoutATimeNothingIsRemembered() {
    cache.put("q", YES, Duration.ZERO);
    assertThat(cache.size()).isZero();
  }

  @Test
  void thereAreNeverTooManyOrTooLongOnes() {
    for (int i = 0; i < 20_000; i++) {
      cache.put("q" + i, YES, Duration.ofHours(1));
      cache.find("q0");
    }
    assertThat(cache.size()).isEqualTo(8192);
    assertThat(cache.find("q0")).as("what is used stays").isNotNull();
    assertThat(cache.find("q19999")).isNotNull();
    for (int i = 0; i < 100; i++) {
      cache.put(i + "x".repeat(1 << 20), YES, Duration.ofHours(1));
    }
    assertThat(cache.size()).isLessThan(17);
  }
}
