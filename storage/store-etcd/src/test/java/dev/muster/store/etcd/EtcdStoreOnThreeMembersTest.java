package dev.muster.store.etcd;

import dev.muster.testing.EtcdCluster;
import dev.muster.testing.NeedsProgram;
import dev.muster.testing.TestCertificates;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** The contract on three members, over TLS with client certificates. */
@Tag("slow")
@NeedsProgram(value = "etcd", from = "3.4")
class EtcdStoreOnThreeMembersTest extends EtcdContract {
  @TempDir static Path folder;
  private static TestCertificates certificates;
  private static EtcdCluster cluster;

  @BeforeAll
  static void start() {
    certificates = new TestCertificates(folder);
    cluster = EtcdCluster.start(folder, 3, certificates);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Override
  EtcdCluster cluster() {
    return cluster;
  }

  @Override
  EtcdOptions options() {
    var client = certificates.issue("client");
    return super.options()
        .withTls(new EtcdTls(certificates.authority(), client.certificate(), client.key()));
  }
}
