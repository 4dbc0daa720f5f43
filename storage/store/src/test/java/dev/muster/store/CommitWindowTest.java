package dev.muster.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class CommitWindowTest {
  @Test
  void keepsTheLatestCommitsOnly() throws InterruptedException {
    var window = new CommitWindow(10, 100, Long.MAX_VALUE);
    window.append(commits(11, 200));
    assertThat(window.after(99, Duration.ZERO)).isNull();
    assertThat(window.after(100, Duration.ZERO)).isEqualTo(commits(101, 200));
    assertThat(window.after(200, Duration.ZERO)).isEmpty();
    assertThat(window.after(300, Duration.ofMillis(1))).isEmpty();
  }

  @Test
  void holdsNoMoreBytesThanAllowed() throws InterruptedException {
    var window = new CommitWindow(0, 100, 10_000);
    for (var revision = 1; revision <= 5; revision++) {
      window.append(List.of(new Commit(revision, List.of(new Change("/a", new byte[4_000])))));
    }
    assertThat(window.after(2, Duration.ZERO)).isNull();
    assertThat(window.after(3, Duration.ZERO)).hasSize(2);
    window.append(List.of(new Commit(6, List.of(new Change("/a", new byte[40_000])))));
    assertThat(window.after(5, Duration.ZERO)).isNull();
    assertThat(window.after(6, Duration.ZERO)).isEmpty();
  }

  @Test
  void forgetsOnRequest() throws InterruptedException {
    var window = new CommitWindow(0, 100, Long.MAX_VALUE);
    window.append(commits(1, 10));
    window.forget(4);
    assertThat(window.after(3, Duration.ZERO)).isNull();
    assertThat(window.after(4, Duration.ZERO)).isEqualTo(commits(5, 10));
  }

  @Test
  void refusesAGap() {
    var window = new CommitWindow(0, 100, Long.MAX_VALUE);
    assertThatThrownBy(() -> window.append(commits(2, 2)))
        .isInstanceOf(IllegalStateException.class);
  }

  private static List<Commit> commits(long first, long last) {
    return LongStream.rangeClosed(first, last).mapToObj(r -> new Commit(r, List.of())).toList();
  }
}
