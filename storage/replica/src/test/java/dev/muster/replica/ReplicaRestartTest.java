package dev.muster.replica;

import static dev.muster.replica.Samples.MAPS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.store.Operation;
import dev.muster.store.Transaction;
import dev.muster.store.embedded.EmbeddedOptions;
import dev.muster.store.embedded.EmbeddedStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On the store that lies on disk. {@link ReplicaFigures} measures the same. */
@Tag("slow")
class ReplicaRestartTest {
  private static final int OBJECTS = 100_000;

  @TempDir Path folder;

  @Test
  void listOfAHundredThousandObjectsIsServedSoonAfterARestart() {
    try (var store = EmbeddedStore.open(EmbeddedOptions.in(folder))) {
      fill(store);
    }
    try (var store = EmbeddedStore.open(EmbeddedOptions.in(folder));
        var replica = Samples.start(store)) {
      // Half a second of two idle cores; the limit is for machines that do much else meanwhile.
      var snapshot = replica.fresh().orTimeout(60, TimeUnit.SECONDS).join();
      var maps = snapshot.collection(MAPS);
      assertThat(maps.size()).isEqualTo(OBJECTS);
      assertThat(maps.in("n7").count()).isEqualTo(OBJECTS / 10);
      long bytes = 0;
      for (var object : maps.all()) {
        bytes += object.json().length;
      }
      assertThat(bytes).isGreaterThan(OBJECTS * 1_000L);
      assertThat(replica.health().objects()).isEqualTo(OBJECTS);
      long revision = Samples.putMap(store, "n7", "new", "");
      assertThat(replica.fresh().join().revision()).isEqualTo(revision);
    }
  }

  private static void fill(EmbeddedStore store) {
    var data = "x".repeat(850);
    var done = new ArrayList<CompletableFuture<?>>();
    for (int i = 0; i < OBJECTS; i++) {
      var namespace = "n" + i % 10;
      var value = Samples.value(namespace, "map-" + i, data);
      var put = new Operation.Put(MAPS + "/" + namespace + "/map-" + i, value, Operation.ABSENT);
      done.add(store.commit(Transaction.of(put)));
    }
    CompletableFuture.allOf(done.toArray(new CompletableFuture<?>[0])).join();
  }
}
