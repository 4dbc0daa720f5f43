package dev.muster.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.store.CommitResult;
import dev.muster.store.Operation;
import dev.muster.store.StoreException;
import dev.muster.store.Transaction;
import dev.muster.testing.ChildProcess;
import dev.muster.testing.EtcdCluster;
import dev.muster.testing.NeedsProgram;
import dev.muster.testing.StoreFixture;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An etcd that asks for a name and a password. */
@Tag("slow")
@NeedsProgram(value = "etcd", from = "3.4")
@NeedsProgram(value = "etcdctl", from = "3.4")
class EtcdLoginTest {
  @TempDir Path folder;
  private EtcdCluster etcd;

  @BeforeEach
  void start() throws InterruptedException {
    etcd = EtcdCluster.start(folder, 1);
    etcdctl("user", "add", "root:secret");
    etcdctl("user", "grant-role", "root", "root");
    etcdctl("auth", "enable");
  }

  @AfterEach
  void stop() {
    etcd.close();
  }

  @Test
  void logsInAndAgainWhenItsTokenIsForgotten() throws InterruptedException {
    try (var store = open("root", "secret");
        var feed = store.follow(1)) {
      var first = put(store, "/a");
      assertThat(StoreFixture.changes(StoreFixture.takeUntil(feed, first))).containsExactly("/a=x");
      etcd.member(0).stop();
      etcd.member(0).start();
      var second = put(store, "/b");
      assertThat(StoreFixture.changes(StoreFixture.takeUntil(feed, second)))
          .containsExactly("/b=x");
    }
  }

  @Test
  void aWrongPasswordIsFinal() {
    try (var store = open("root", "wrong");
        var feed = store.follow(1)) {
      assertThatThrownBy(() -> StoreFixture.await(store.readIndex()))
          .isInstanceOf(StoreException.Unusable.class);
      assertThatThrownBy(() -> put(store, "/a")).isInstanceOf(StoreException.Unusable.class);
      assertThatThrownBy(() -> StoreFixture.takeUntil(feed, 2))
          .isInstanceOf(StoreException.Unusable.class);
    }
  }

  private EtcdStore open(String user, String password) {
    return EtcdStore.open(
        EtcdOptions.at(etcd.endpoints())
            .withLogin(user, password)
            .withCompactionInterval(Duration.ZERO));
  }

  private static long put(EtcdStore store, String key) {
    var put = new Operation.Put(key, StoreFixture.bytes("x"), Operation.ABSENT);
    return ((CommitResult.Committed) StoreFixture.await(store.commit(Transaction.of(put))))
        .revision();
  }

  private void etcdctl(String... arguments) throws InterruptedException {
    var command = new ArrayList<>(List.of("env", "ETCDCTL_API=3", "etcdctl"));
    command.add("--endpoints=" + etcd.member(0).endpoint());
    command.addAll(List.of(arguments));
    try (var process = ChildProcess.start(command)) {
      assertThat(process.waitFor()).as(() -> process.output().toString()).isZero();
    }
  }
}
