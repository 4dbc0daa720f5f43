package dev.muster.replica;

import static dev.muster.replica.Samples.await;
import static dev.muster.replica.Samples.putMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.store.Image;
import dev.muster.store.MemoryStore;
import dev.muster.store.Store;
import dev.muster.store.StoreException;
import dev.muster.testing.ForwardingStore;
import dev.muster.testing.LogLines;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What an operator reads about the store that a server follows. */
class OperatorMessagesTest {
  @Test
  void aStoreThatIsAwayIsOneLineWithoutAStackTraceAndSoIsItsReturn() {
    var attempts = new AtomicInteger();
    try (var memory = new MemoryStore();
        var log = LogLines.of("dev.muster.replica")) {
      putMap(memory, "a", "one", "1");
      var store = new AwayAtFirst(memory, attempts);
      try (var replica = Samples.start(store, Samples.OPTIONS)) {
        await(replica, 1);
        await().until(replica::ready);
        await().until(() -> log.all().size() >= 3);
      }
      assertThat(log.all().get(0))
          .isEqualTo("WARN Lost the store at revision 0, trying again: etcd: Connection refused");
      assertThat(log.all().get(1)).matches("INFO Loaded 1 objects at revision 1 in \\d+ ms");
      assertThat(log.all().get(2))
          .matches("INFO Following the store at revision 1 \\(after \\d+ m?s\\)");
      assertThat(log.all()).hasSize(3);
      assertThat(log.withTraces()).isEmpty();
      assertThat(attempts).hasValue(AwayAtFirst.TIMES + 1);
    }
  }

  @Test
  void compactedHistoryIsSaid() {
    try (var memory = new MemoryStore();
        var log = LogLines.of("dev.muster.replica")) {
      var store = new FaultyStore(memory);
      putMap(memory, "a", "one", "1");
      try (var replica = Samples.start(store, Samples.OPTIONS)) {
        await(replica, 1);
        await().until(replica::ready);
        store.cut();
        await().until(() -> !replica.ready());
        putMap(memory, "a", "one", "2");
        memory.compact(memory.readIndex().join());
        store.mend();
        await(replica, 2);
      }
      assertThat(log.all()).contains("WARN The log after revision 1 is gone, loading an image");
      assertThat(log.withTraces()).isEmpty();
    }
  }

  private static final class AwayAtFirst extends ForwardingStore {
    static final int TIMES = 5;
    private final AtomicInteger attempts;

    AwayAtFirst(Store store, AtomicInteger attempts) {
      super(store);
      this.attempts = attempts;
    }

    @Override
    public Image image() {
      if (attempts.incrementAndGet() <= TIMES) {
        throw new StoreException.Unavailable("etcd: Connection refused", null);
      }
      return super.image();
    }
  }
}
