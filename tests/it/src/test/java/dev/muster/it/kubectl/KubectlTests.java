package dev.muster.it.kubectl;

import dev.muster.it.ServerInProcess;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** One server for all tests of a class, each with several kubectl. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class KubectlTests {
  @TempDir static Path folder;
  ServerInProcess server;

  @BeforeAll
  void start() throws Exception {
    server = ServerInProcess.start(folder);
  }

  @AfterAll
  void stop() {
    server.close();
  }

  final Session session(Path program) {
    return Session.start(program, server.kubeconfig());
  }
}
