package dev.muster.it.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonObject;
import dev.muster.store.MemoryStore;
import dev.muster.testing.ForwardingStore;
import dev.muster.wire.JsonReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code muster status} says of a server that answers and is not well. */
@Tag("slow")
class StatusOfSickServerTest {
  @TempDir private Path folder;

  /** A store that says when it is full. */
  private static final class FullStore extends ForwardingStore {
    private volatile String trouble = "";

    FullStore() {
      super(new MemoryStore());
    }

    @Override
    public String degradedReason() {
      return trouble;
    }
  }

  @Test
  void aStoreThatIsFullIsReachedAndSaysSo() throws Exception {
    var store = new FullStore();
    try (var fleet = new ServersInOneProcess(folder)) {
      var server =
          fleet.start(UnaryOperator.identity(), ServersInOneProcess.FAST, Duration.ZERO, store);
      var kubeconfig = fleet.kubeconfig(server);
      assertThat(StatusOutput.of(kubeconfig))
          .contains("Store               ok\n")
          .doesNotContain("clock");
      store.trouble = "the disk is full: 5 MB are free, 50 MB are needed";
      assertThat(StatusOutput.of(kubeconfig))
          .startsWith("1 API server")
          .contains("Store               reached, TAKES NO WRITES, failing checks: storage-writes")
          .contains("does not take every write: the disk is full: 5 MB are free, 50 MB are needed")
          .contains("1. make room")
          .doesNotContain("NOT IN CONTACT");
      var json = StatusOutput.of(kubeconfig, "-o=json").getBytes(StandardCharsets.UTF_8);
      assertThat(((JsonObject) JsonReader.read(json)).array("problems").object(0).string("code"))
          .isEqualTo("StoreTakesNoWrites");
    }
  }
}
