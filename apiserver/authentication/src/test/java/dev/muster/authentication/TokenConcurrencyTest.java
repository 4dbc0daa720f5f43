package dev.muster.authentication;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.authentication.TokenAuthenticator.TokenUser;
import dev.muster.authentication.TokenLookups.Answer;
import dev.muster.authentication.TokenLookups.Found;
import dev.muster.model.User;
import dev.muster.testing.ModelCheck;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is forgotten stays so, whoever asks for it at that moment. */
@Tag("slow")
class TokenConcurrencyTest {
  /** A token of the older generation, which moves to the younger one when it is used. */
  public static class Forgetting {
    final TokenCache<String, String> cache = new TokenCache<>(4);

    public Forgetting() {
      for (var token : List.of("token", "another", "a third")) {
        cache.put(token, "jane");
      }
    }

    @Operation
    public @Nullable String get() {
      return cache.get("token");
    }

    @Operation
    public void remove() {
      cache.remove("token");
    }

    @Operation
    public void clear() {
      cache.clear();
    }
  }

  /** The same with a fault: what was found is moved later. */
  public static class MovedLater extends Forgetting {
    @Override
    public @Nullable String get() {
      var found = super.get();
      if (found != null) {
        cache.put("token", found);
      }
      return found;
    }
  }

  /** An authenticator that changes while it is asked. */
  public static class Changing {
    private static final BearerToken TOKEN = new BearerToken("token");
    private static final TokenLookups.Times TIMES =
        new TokenLookups.Times(Duration.ofHours(1), Duration.ofHours(1));
    private static final List<TokenUser> OWNERS =
        IntStream.range(0, 8)
            .mapToObj(number -> new TokenUser(User.of("user" + number), List.of()))
            .toList();

    static {
      TOKEN.hash();
    }

    volatile int owner;
    final TokenLookups lookups =
        new TokenLookups(
            (token, audiences) -> OWNERS.get(owner),
            TIMES,
            () -> Instant.EPOCH,
            Runnable::run,
            TokenLookupObserver.NONE);

    /** What was found after a change, and what should have been. */
    private final Map<CompletableFuture<Answer>, TokenUser> found = new ConcurrentHashMap<>();

    @Operation
    public void find() {
      lookups.find(TOKEN, List.of());
    }

    @Operation(nonParallelGroup = "change")
    public void changeAndFind() {
      change();
      found.put(lookups.find(TOKEN, List.of()), OWNERS.get(owner));
    }

    void change() {
      owner++;
      lookups.forget();
    }

    @Validate
    public void noAnswerIsOutdated() {
      found.put(lookups.find(TOKEN, List.of()), OWNERS.get(owner));
      found.forEach(
          (answer, user) -> {
            if (!answer.join().equals(new Found(user))) {
              throw new IllegalStateException("outdated: " + answer.join());
            }
          });
    }
  }

  /** The same with a fault: forgets before the authenticator has changed. */
  public static class ForgotTooEarly extends Changing {
    @Override
    void change() {
      lookups.forget();
      owner++;
    }
  }

  @Test
  void whatIsRemovedDoesNotComeBack() {
    ModelCheck.ofScenarios(0, 1).check(Forgetting.class);
  }

  @Test
  void seededFaultOfTheCacheIsFound() {
    assertThatThrownBy(() -> ModelCheck.ofScenarios(0, 1).forFault().check(MovedLater.class))
        .isInstanceOf(LincheckAssertionError.class)
        .hasMessageContaining("Invalid execution results");
  }

  @Test
  void noAnswerOutlivesAChange() {
    ModelCheck.ofScenarios(0, 1).check(Changing.class);
  }

  @Test
  void seededFaultOfLookupsIsFound() {
    assertThatThrownBy(() -> ModelCheck.ofScenarios(0, 1).forFault().check(ForgotTooEarly.class))
        .isInstanceOf(LincheckAssertionError.class)
        .hasMessageContaining("outdated");
  }
}
