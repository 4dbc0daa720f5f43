package dev.muster.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.store.CommitResult;
import dev.muster.store.Operation;
import dev.muster.store.Transaction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GroupCommitTest {
  @TempDir Path folder;
  private EmbeddedStore store;

  @BeforeEach
  void open() {
    store = EmbeddedStore.open(EmbeddedOptions.in(folder));
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void commitsThatWaitShareAFlush() {
    var commits = 5_000;
    var outcomes = new ArrayList<CompletableFuture<CommitResult>>();
    for (var i = 0; i < commits; i++) {
      outcomes.add(put("/key" + i, Operation.ABSENT));
    }
    for (var i = 0; i < commits; i++) {
      assertThat(outcomes.get(i).join()).isEqualTo(new CommitResult.Committed(i + 1));
    }
    assertThat(store.flushes()).isBetween(1L, commits / 20L);
  }

  @Test
  void commitsOfOneFlushSeeEachOther() {
    var wins = 0;
    var outcomes = new ArrayList<CompletableFuture<CommitResult>>();
    for (var i = 0; i < 1_000; i++) {
      outcomes.add(put("/one", Operation.ABSENT));
    }
    for (var outcome : outcomes) {
      if (outcome.join() instanceof CommitResult.Conflict conflict) {
        assertThat(conflict.found().getFirst().modRevision()).isEqualTo(1);
        assertThat(conflict.found().getFirst().value()).asString().isEqualTo("/one");
      } else {
        wins++;
      }
    }
    assertThat(wins).isEqualTo(1);
    assertThat(store.readIndex().join()).isEqualTo(1);
  }

  private CompletableFuture<CommitResult> put(String key, long expected) {
    return store.commit(
        Transaction.of(new Operation.Put(key, key.getBytes(StandardCharsets.UTF_8), expected)));
  }
}
