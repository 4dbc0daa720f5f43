package dev.muster.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.store.CommitResult;
import dev.muster.store.Operation;
import dev.muster.store.Transaction;
import dev.muster.store.embedded.EmbeddedOptions;
import dev.muster.store.embedded.EmbeddedStore;
import dev.muster.testing.NeedsProgram;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A control plane with much in it comes back with all of it. */
@Tag("slow")
@NeedsProgram("kubectl")
class RestartTest {
  private static final int OBJECTS = 100_000;
  private static final int BATCH = 1_000;

  @TempDir private Path folder;

  @Test
  void serves100000ObjectsAfterItsStart() throws Exception {
    fill(folder.resolve("data", "store"));
    long began = System.nanoTime();
    try (var muster = Processes.up(folder.resolve("data"))) {
      Processes.awaitUp(muster);
      long up = System.nanoTime() - began;
      var kubectl = Kubectl.of(folder.resolve("data/admin.kubeconfig"));
      var page = kubectl.succeed("get", "--raw", "/api/v1/namespaces/full/configmaps?limit=500");
      long served = System.nanoTime() - began;
      System.out.printf(
          "%d objects: up after %d ms, a list served after %d ms%n",
          OBJECTS, up / 1_000_000, served / 1_000_000);
      assertThat(page).contains("\"remainingItemCount\":" + (OBJECTS - 500));
      assertThat(kubectl.succeed("get", "--raw", "/api/v1/namespaces/full/configmaps/c-99999"))
          .contains("\"data\":{\"v\":\"99999\"}");
      muster.terminate();
      assertThat(muster.waitFor()).isZero();
    }
  }

  private static void fill(Path store) throws Exception {
    try (var embedded = EmbeddedStore.open(EmbeddedOptions.in(store))) {
      for (int first = 0; first < OBJECTS; first += BATCH) {
        var operations = new ArrayList<Operation>();
        for (int i = first; i < first + BATCH; i++) {
          operations.add(new Operation.Put("/configmaps/full/c-" + i, map(i), 0));
        }
        assertThat(embedded.commit(new Transaction(operations)).join())
            .isInstanceOf(CommitResult.Committed.class);
      }
    }
  }

  private static byte[] map(int i) {
    return """
    {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c-%1$d","namespace":"full",\
    "uid":"00000000-0000-4000-8000-%1$012d","creationTimestamp":"2026-01-01T00:00:00Z"},\
    "data":{"v":"%1$d"}}
    """
        .formatted(i)
        .getBytes(StandardCharsets.UTF_8);
  }
}
