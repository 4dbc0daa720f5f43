package dev.muster.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The contract of the read index: it includes every commit acknowledged before the request. */
public interface ReadIndexContract extends StoreFixture {

  @Test
  default void readIndexIsTheLatestCommit() {
    var revision = committed(set("/a", "1"));
    assertThat(latest()).isEqualTo(revision);
    assertThat(latest()).isEqualTo(revision);
  }

  @Test
  default void readIndexIsLinearizableUnderConcurrentWriters() throws Exception {
    var acknowledged = new AtomicLong();
    var writing = new AtomicInteger(4);
    var tasks = new ArrayList<Callable<Void>>();
    for (var i = 0; i < 4; i++) {
      var key = "/writer" + i;
      tasks.add(
          () -> {
            try {
              for (var n = 0; n < 100; n++) {
                acknowledged.accumulateAndGet(committed(set(key, "" + n)), Math::max);
              }
            } finally {
              writing.decrementAndGet();
            }
            return null;
          });
      tasks.add(
          () -> {
            while (writing.get() > 0) {
              var before = acknowledged.get();
              assertThat(latest()).isGreaterThanOrEqualTo(before);
            }
            return null;
          });
    }
    try (var threads = Executors.newCachedThreadPool()) {
      for (var task : threads.invokeAll(tasks)) {
        task.get();
      }
    }
    assertThat(latest()).isGreaterThanOrEqualTo(acknowledged.get());
  }
}
