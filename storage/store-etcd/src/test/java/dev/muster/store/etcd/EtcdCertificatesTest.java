package dev.muster.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.store.CommitResult;
import dev.muster.store.Operation;
import dev.muster.store.Transaction;
import dev.muster.testing.EtcdCluster;
import dev.muster.testing.NeedsProgram;
import dev.muster.testing.StoreFixture;
import dev.muster.testing.TestCertificates;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An etcd whose certificates, and ours, are renewed under a new authority. */
@Tag("slow")
@NeedsProgram(value = "etcd", from = "3.4")
class EtcdCertificatesTest {
  @TempDir private Path folder;

  @Test
  void readsRenewedFilesForTheNextConnection() throws Exception {
    var first = new TestCertificates(folder);
    var client = first.issue("client");
    try (var etcd = EtcdCluster.start(folder, 1, first);
        var store =
            EtcdStore.open(
                EtcdOptions.at(etcd.endpoints())
                    .withTls(new EtcdTls(first.authority(), client.certificate(), client.key()))
                    .withCompactionInterval(Duration.ZERO));
        var feed = store.follow(1)) {
      var before = put(store, "/a");
      assertThat(StoreFixture.changes(StoreFixture.takeUntil(feed, before)))
          .containsExactly("/a=x");

      etcd.member(0).stop();
      var second = new TestCertificates(folder);
      second.issue(etcd.member(0).name());
      Files.writeString(client.key(), "half a file");
      etcd.member(0).start();
      second.issue("client");

      var after = put(store, "/b");
      assertThat(StoreFixture.changes(StoreFixture.takeUntil(feed, after))).containsExactly("/b=x");
    }
  }

  private static long put(EtcdStore store, String key) {
    var put = new Operation.Put(key, StoreFixture.bytes("x"), Operation.ABSENT);
    return ((CommitResult.Committed) StoreFixture.await(store.commit(Transaction.of(put))))
        .revision();
  }
}
