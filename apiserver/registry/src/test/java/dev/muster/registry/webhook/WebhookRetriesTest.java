package dev.muster.registry.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.registry.commit.Deadline;
import dev.muster.registry.webhook.WebhookRetries.Attempt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** How often and when a webhook is asked again; no time passes here. */
class WebhookRetriesTest {
  private static final Deadline LATER = Deadline.after(Duration.ofHours(1));

  private final List<Long> pauses = new ArrayList<>();
  private int attempts;

  /** The random number is always the same: 0.5. */
  private WebhookRetries retries() {
    RandomGenerator half = () -> 1L << 63;
    return new WebhookRetries(Duration.ofSeconds(1), half, pause -> pauses.add(pause.toMillis()));
  }

  private Attempt<Integer> attempt(int good) {
    attempts++;
    return new Attempt<>(attempts, attempts < good);
  }

  @Test
  void whatIsGoodAtOnceIsAskedOnce() {
    assertThat(retries().ask(() -> attempt(1), LATER)).isEqualTo(1);
    assertThat(pauses).isEmpty();
  }

  @Test
  void pausesGrowByHalfAndAreALittleLonger() {
    assertThat(retries().ask(() -> attempt(4), LATER)).isEqualTo(4);
    assertThat(pauses).containsExactly(1100L, 1650L, 2475L);
  }

  @Test
  void afterFiveAttemptsTheLastOneCounts() {
    assertThat(retries().ask(() -> attempt(100), LATER)).isEqualTo(5);
    assertThat(pauses).hasSize(4);
  }

  @Test
  void nobodyWaitsPastTheDeadline() {
    var soon = Deadline.after(Duration.ofMillis(900));
    assertThat(retries().ask(() -> attempt(100), soon)).isEqualTo(1);
    assertThat(pauses).isEmpty();
  }

  @Test
  void whoIsInterruptedBetweenTwoAttemptsGetsWhatThereIsAndStaysInterrupted() {
    var interrupted =
        new WebhookRetries(
            Duration.ofMillis(1),
            RandomGenerator.getDefault(),
            pause -> {
              throw new InterruptedException();
            });
    assertThat(interrupted.ask(() -> attempt(100), LATER)).isEqualTo(1);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void onlyTemporaryFailuresOfTheOtherSideAreWorthAnotherTry() {
    assertThat(List.of(429, 500, 504)).allMatch(WebhookRetries::isTemporary);
    assertThat(List.of(200, 400, 401, 403, 404, 502, 503)).noneMatch(WebhookRetries::isTemporary);
  }
}
