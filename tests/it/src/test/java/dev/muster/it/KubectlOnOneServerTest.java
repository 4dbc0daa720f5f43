package dev.muster.it;

import dev.muster.testing.ChildProcess;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** One server on the embedded store, as {@code muster up} starts it. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KubectlOnOneServerTest extends KubectlUse {
  @TempDir private static Path folder;
  private ChildProcess muster;

  @BeforeAll
  void start() throws InterruptedException {
    muster = Processes.up(folder.resolve("data"));
    Processes.awaitUp(muster);
  }

  @AfterAll
  void stop() {
    muster.close();
  }

  @Override
  Path kubeconfig() {
    return folder.resolve("data/admin.kubeconfig");
  }

  @Override
  List<String> contexts() {
    return List.of("muster");
  }
}
