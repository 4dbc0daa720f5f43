package dev.muster.registry.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DeadlineWatchTest {
  private static final Deadline FAR = Deadline.after(Duration.ofHours(1));

  private final DeadlineWatch watch = new DeadlineWatch();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  @AfterEach
  void close() {
    threads.shutdownNow();
  }

  @Test
  void tellsWhatTheFutureSays() throws Exception {
    assertThat(watch.await(CompletableFuture.completedFuture("there"), FAR)).isEqualTo("there");
    var later = new CompletableFuture<String>();
    var waiting = threads.submit(() -> watch.await(later, FAR));
    later.complete("now");
    assertThat(waiting.get()).isEqualTo("now");
  }

  @Test
  void tellsHowTheFutureFailed() {
    var failing = new CompletableFuture<String>();
    var waiting = threads.submit(() -> watch.await(failing, FAR));
    failing.completeExceptionally(new IllegalStateException("broken"));
    assertThatThrownBy(waiting::get)
        .cause()
        .isInstanceOf(ExecutionException.class)
        .hasRootCauseMessage("broken");
  }

  /** Those with time left go on waiting beside those without. */
  @Test
  void givesUpAfterTheDeadline() throws Exception {
    var never = new CompletableFuture<String>();
    var patient = threads.submit(() -> watch.await(never, FAR));
    for (int i = 0; i < 3; i++) {
      var soon = Deadline.after(Duration.ofMillis(20));
      var waiting = threads.submit(() -> watch.await(never, soon));
      assertThatThrownBy(waiting::get).hasCauseInstanceOf(TimeoutException.class);
      assertThat(soon.isOver()).isTrue();
    }
    assertThat(patient.isDone()).isFalse();
    never.complete("at last");
    assertThat(patient.get()).isEqualTo("at last");
  }

  @Test
  void anInterruptEndsTheWait() throws Exception {
    var waiting = new CompletableFuture<Throwable>();
    var thread =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    watch.await(new CompletableFuture<>(), FAR);
                  } catch (Exception e) {
                    waiting.complete(e);
                  }
                });
    thread.interrupt();
    assertThat(waiting.get()).isInstanceOf(InterruptedException.class);
  }

  /** However the ends of waits and of the watcher's looks fall together, nobody is forgotten. */
  @Test
  void everybodyIsWoken() throws Exception {
    for (int round = 0; round < 200; round++) {
      var all = new ArrayList<Future<Integer>>();
      var futures = new ArrayList<CompletableFuture<Integer>>();
      for (int i = 0; i < 20; i++) {
        var future = new CompletableFuture<Integer>();
        futures.add(future);
        all.add(threads.submit(() -> watch.await(future, FAR)));
      }
      for (int i = 0; i < 20; i++) {
        int number = i;
        threads.execute(() -> futures.get(number).complete(number));
      }
      for (int i = 0; i < 20; i++) {
        assertThat(all.get(i).get(30, TimeUnit.SECONDS)).isEqualTo(i);
      }
    }
    var soon = Deadline.after(Duration.ofMillis(1));
    assertThatThrownBy(() -> watch.await(new CompletableFuture<>(), soon))
        .isInstanceOf(TimeoutException.class);
  }
}
