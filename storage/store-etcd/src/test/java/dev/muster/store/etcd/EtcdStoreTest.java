package dev.muster.store.etcd;

import dev.muster.testing.EtcdCluster;
import dev.muster.testing.NeedsProgram;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** The contract on one etcd. */
@Tag("slow")
@NeedsProgram(value = "etcd", from = "3.4")
class EtcdStoreTest extends EtcdContract {
  @TempDir static Path folder;
  private static EtcdCluster cluster;

  @BeforeAll
  static void start() {
    cluster = EtcdCluster.start(folder, 1);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Override
  EtcdCluster cluster() {
    return cluster;
  }
}
