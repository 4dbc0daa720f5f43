package dev.muster.it;

import dev.muster.testing.ChildProcess;
import dev.muster.testing.NeedsProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Three server processes and a controller manager on one etcd. */
@Tag("slow")
@NeedsProgram(value = "etcd", from = "3.4")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KubectlOnThreeServersTest extends KubectlUse {
  @TempDir private static Path folder;
  private EtcdFleet fleet;
  private ChildProcess controllers;

  @BeforeAll
  void start() throws IOException {
    fleet = EtcdFleet.start(folder, 3, 1);
    controllers = Processes.muster("controller-manager", "--kubeconfig=" + fleet.kubeconfig());
  }

  @AfterAll
  void stop() {
    controllers.close();
    fleet.close();
  }

  @Override
  Path kubeconfig() {
    return folder.resolve("kubeconfig");
  }

  @Override
  List<String> contexts() {
    return List.of("s0", "s1", "s2");
  }
}
