package dev.muster.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.store.CommitResult;
import dev.muster.store.Operation;
import dev.muster.store.StoreException;
import dev.muster.store.Transaction;
import dev.muster.testing.EtcdCluster;
import dev.muster.testing.NeedsProgram;
import dev.muster.testing.StoreFixture;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An etcd whose quota is used up writes nothing more, but deletes. */
@Tag("slow")
@NeedsProgram(value = "etcd", from = "3.4")
@Timeout(120)
class EtcdWithoutSpaceTest {
  @TempDir Path folder;

  @Test
  void saysThatItIsFullAndTakesDeletes() throws Exception {
    try (var etcd = EtcdCluster.start(folder, 1);
        var store = open(etcd)) {
      var a = put(store, "/a");
      var b = put(store, "/b");
      var c = put(store, "/c");
      assertThat(store.degradedReason()).isEmpty();
      alarm(etcd, "ACTIVATE");
      assertIsFull(() -> put(store, "/d"));
      assertThat(store.degradedReason()).contains("no space", "NOSPACE");
      assertThat(delete(store, "/a", a)).isInstanceOf(CommitResult.Committed.class);
      assertThat(delete(store, "/a", a)).isInstanceOf(CommitResult.Conflict.class);
      try (var late = open(etcd)) {
        // Its marks have no lease yet, and cannot get one.
        assertThat(delete(late, "/b", b)).isInstanceOf(CommitResult.Committed.class);
        assertIsFull(() -> put(late, "/d"));
        assertThat(late.degradedReason()).isNotEmpty();
      }
      alarm(etcd, "DEACTIVATE");
      assertThat(put(store, "/d")).isInstanceOf(CommitResult.Committed.class);
      assertThat(delete(store, "/c", c)).isInstanceOf(CommitResult.Committed.class);
      assertThat(store.degradedReason()).isEmpty();
    }
  }

  private static EtcdStore open(EtcdCluster etcd) {
    return EtcdStore.open(EtcdOptions.at(etcd.endpoints()));
  }

  private static void assertIsFull(Runnable commit) {
    assertThatThrownBy(commit::run)
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(StoreException.Full.class)
        .hasMessageContaining("database space exceeded");
  }

  private static CommitResult put(EtcdStore store, String key) {
    return store
        .commit(Transaction.of(new Operation.Put(key, StoreFixture.bytes("1"), Operation.ABSENT)))
        .join();
  }

  private static CommitResult delete(EtcdStore store, String key, CommitResult written) {
    long revision = ((CommitResult.Committed) written).revision();
    return store.commit(Transaction.of(new Operation.Delete(key, revision))).join();
  }

  private static void alarm(EtcdCluster etcd, String action) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(etcd.member(0).endpoint() + "/v3/maintenance/alarm"))
            .POST(
                BodyPublishers.ofString(
                    "{\"action\":\"" + action + "\",\"memberID\":\"0\",\"alarm\":\"NOSPACE\"}"))
            .build();
    try (var client = HttpClient.newHttpClient()) {
      var answer = client.send(request, BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }
  }
}
