package dev.muster.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.authentication.TokenAuthenticator.TokenUser;
import dev.muster.authentication.TokenLookups.Found;
import dev.muster.authentication.TokenLookups.Unknown;
import dev.muster.model.User;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TokenLookupsTest {
  private static final TokenUser JANE = new TokenUser(User.of("jane"), List.of("api"));

  private final AtomicInteger asked = new AtomicInteger();
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private Instant now = Instant.EPOCH;

  private TokenLookups lookups(TokenAuthenticator slow) {
    return new TokenLookups(
        (token, audiences) -> {
          asked.incrementAndGet();
          return slow.authenticate(token, audiences);
        },
        new TokenLookups.Times(Duration.ofSeconds(10), Duration.ofSeconds(5)),
        () -> now,
        waiting::add,
        TokenLookupObserver.NONE);
  }

  private void run() {
    while (!waiting.isEmpty()) {
      waiting.remove().run();
    }
  }

  @Test
  void allThatAskAboutATokenShareOneQuestion() {
    var lookups = lookups((token, audiences) -> JANE);
    var first = lookups.find(new BearerToken("a"), List.of());
    var second = lookups.find(new BearerToken("a"), List.of());
    var other = lookups.find(new BearerToken("a"), List.of("x"));
    assertThat(first).isNotDone();
    run();
    assertThat(first.join()).isEqualTo(new Found(JANE));
    assertThat(second.join()).isEqualTo(new Found(JANE));
    assertThat(other.join()).isEqualTo(new Found(JANE));
    assertThat(asked).hasValue(2);
    assertThat(lookups.underWay()).isZero();
  }

  @Test
  void answersCountForAWhile() {
    var lookups = lookups((token, audiences) -> token.token().equals("a") ? JANE : null);
    lookups.find(new BearerToken("a"), List.of());
    lookups.find(new BearerToken("b"), List.of());
    run();
    now = now.plusMillis(4_999);
    assertThat(lookups.find(new BearerToken("a"), List.of())).isCompletedWithValue(new Found(JANE));
    assertThat(lookups.find(new BearerToken("b"), List.of()))
        .isCompletedWithValue(new Unknown(null));
    now = now.plusMillis(1);
    assertThat(lookups.find(new BearerToken("b"), List.of())).isNotDone();
    now = now.plusMillis(5_000);
    assertThat(lookups.find(new BearerToken("a"), List.of())).isNotDone();
  }

  @Test
  void aQuestionThatFailedIsAskedAgain() {
    var lookups =
        lookups(
            (token, audiences) -> {
              if (asked.get() == 1) {
                throw new RefusedCredentials("away");
              }
              if (asked.get() == 2) {
                throw new IllegalStateException("broken");
              }
              return JANE;
            });
    for (var expected : List.of("away", "authentication failed unexpectedly")) {
      var answer = lookups.find(new BearerToken("a"), List.of());
      run();
      assertThat(answer.join())
          .isInstanceOfSatisfying(
              Unknown.class, unknown -> assertThat(unknown.why()).hasMessage(expected));
    }
    var answer = lookups.find(new BearerToken("a"), List.of());
    run();
    assertThat(answer.join()).isEqualTo(new Found(JANE));
  }

  @Test
  void whatWasForgottenIsNotRememberedByALateAnswer() {
    var changing = new ArrayList<TokenLookups>();
    var lookups =
        lookups(
            (token, audiences) -> {
              changing.forEach(TokenLookups::forget);
              return JANE;
            });
    changing.add(lookups);
    var answer = lookups.find(new BearerToken("a"), List.of());
    run();
    assertThat(answer).isDone();
    assertThat(lookups.find(new BearerToken("a"), List.of())).isNotDone();
  }

  @Test
  void strangersAreRefusedWhenTooManyQuestionsAreOpen() {
    var lookups = lookups((token, audiences) -> JANE);
    for (int i = 0; i < 4_096; i++) {
      assertThat(lookups.find(new BearerToken("t" + i), List.of())).isNotDone();
    }
    assertThat(lookups.find(new BearerToken("more"), List.of()).join()).isInstanceOf(Unknown.class);
    run();
    var later = lookups.find(new BearerToken("more"), List.of());
    run();
    assertThat(later.join()).isEqualTo(new Found(JANE));
  }
}
