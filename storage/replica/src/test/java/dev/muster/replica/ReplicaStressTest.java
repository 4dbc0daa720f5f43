package dev.muster.replica;

import static dev.muster.replica.Samples.MAPS;
import static dev.muster.replica.Samples.await;
import static dev.muster.replica.Samples.putMap;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.replica.object.StoredObject;
import dev.muster.replica.snapshot.ReplicaException;
import dev.muster.store.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Real threads on a real replica whose memory is short, so that rings grow, wrap and expire. */
class ReplicaStressTest {
  private static final int COMMITS = 4_000;

  private final MemoryStore store = new MemoryStore();
  private final Replica replica =
      Samples.start(store, Samples.OPTIONS.withEvents(Duration.ofMinutes(5), 300, 1 << 20));
  private final AtomicBoolean done = new AtomicBoolean();

  @Test
  void readersNeverSeeAGapARepetitionOrAStepBack() throws Exception {
    await(replica, 0);
    try (var threads = Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
      var writers = new ArrayList<Future<Integer>>();
      for (int i = 0; i < 2; i++) {
        writers.add(threads.submit(write("w" + i)));
      }
      var readers = new ArrayList<Future<Integer>>();
      for (int i = 0; i < 2; i++) {
        readers.add(threads.submit(this::follow));
        readers.add(threads.submit(this::lookBack));
      }
      try {
        for (var writer : writers) {
          assertThat(writer.get()).isEqualTo(COMMITS);
        }
      } finally {
        done.set(true);
      }
      for (var reader : readers) {
        assertThat(reader.get()).isPositive();
      }
    } finally {
      replica.close();
      store.close();
    }
  }

  /** Every own commit is in the next fresh snapshot and its object shows it. */
  private Callable<Integer> write(String name) {
    return () -> {
      for (int i = 1; i <= COMMITS; i++) {
        long revision = putMap(store, "a", name, Integer.toString(i));
        if (i % 8 == 0) {
          var snapshot = replica.fresh().join();
          assertThat(snapshot.revision()).isGreaterThanOrEqualTo(revision);
          var object = snapshot.collection(MAPS).get("a", name);
          assertThat(Samples.data(object)).isEqualTo(Integer.toString(i));
        }
      }
      return COMMITS;
    };
  }

  /** Every revision is an event of this collection, so a cursor must see consecutive ones. */
  private int follow() {
    int events = 0;
    var cursor = replica.watch(MAPS, replica.current().revision());
    while (!done.get()) {
      long before = cursor.position();
      var last = new long[] {before};
      try {
        events +=
            cursor.poll(
                1 + ThreadLocalRandom.current().nextInt(64),
                event -> {
                  assertThat(event.revision()).isEqualTo(last[0] + 1);
                  last[0] = event.revision();
                  assertThat(replica.current().revision()).isGreaterThanOrEqualTo(last[0]);
                });
        assertThat(cursor.position()).isEqualTo(last[0]);
      } catch (ReplicaException.Expired expired) {
        cursor = replica.watch(MAPS, replica.current().revision());
      }
    }
    return events + 1;
  }

  /** Old snapshots agree with what their revision wrote, or have expired. */
  private int lookBack() {
    int seen = 0;
    while (!done.get()) {
      long revision = replica.current().revision() - ThreadLocalRandom.current().nextInt(400);
      try {
        var old = replica.at(Math.max(1, revision));
        if (old.isPresent()) {
          var maps = old.get().collection(MAPS);
          assertThat(maps.all().stream().mapToLong(StoredObject::revision).max().orElse(0))
              .isEqualTo(old.get().revision());
          seen++;
        }
      } catch (ReplicaException.Expired expired) {
        assertThat(expired.oldest()).isPositive();
      }
    }
    return seen + 1;
  }
}
