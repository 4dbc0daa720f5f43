package dev.muster.replica;

import static dev.muster.replica.Samples.KEYS;
import static dev.muster.replica.Samples.MAPS;
import static dev.muster.replica.Samples.OPTIONS;
import static dev.muster.replica.Samples.putMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.replica.snapshot.ReplicaException;
import dev.muster.store.Change;
import dev.muster.store.Commit;
import dev.muster.store.EncryptionState;
import dev.muster.store.MemoryStore;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Values that a store could not open, or that it says something about. */
@Timeout(60)
class SealedValuesTest {
  private static Commit with(Commit commit, EncryptionState encryptionState) {
    return new Commit(
        commit.revision(),
        commit.changes().stream()
            .map(change -> new Change(change.key(), change.value(), encryptionState))
            .toList());
  }

  @Test
  void whatCouldNotBeOpenedIsNamedAndReadAnewAfterAReload() {
    var store = new FaultyStore(new MemoryStore());
    try (var replica = Replica.start(store, KEYS, OPTIONS)) {
      putMap(store, "a", "one", "1");
      Samples.await(replica, 1);
      store.lie(commit -> with(commit, EncryptionState.closed("there is no key for it")));
      putMap(store, "a", "two", "2");
      var maps = Samples.await(replica, 2).collection(MAPS);
      assertThat(maps.size()).isEqualTo(1);
      assertThatThrownBy(() -> maps.get("a", "two"))
          .isInstanceOf(ReplicaException.Unreadable.class)
          .hasMessageContaining(MAPS + "/a/two")
          .hasMessageContaining("there is no key for it");
      replica.reload();
      Awaitility.await().until(() -> replica.current().collection(MAPS).unreadable().isEmpty());
      assertThat(replica.current().collection(MAPS).get("a", "two")).isNotNull();
      assertThat(replica.current().revision()).isEqualTo(2);
    }
    store.close();
  }

  @Test
  void howAValueIsStoredStaysWithItsObject() {
    var store = new FaultyStore(new MemoryStore());
    var encryptionState = new EncryptionState("k8s:enc:aesgcm:v1:one:", "");
    store.lie(commit -> with(commit, encryptionState));
    try (var replica = Replica.start(store, KEYS, OPTIONS)) {
      Awaitility.await().until(replica::ready);
      putMap(store, "a", "one", "1");
      var object = Samples.await(replica, 1).collection(MAPS).get("a", "one");
      assertThat(Objects.requireNonNull(object).sealing()).isSameAs(encryptionState);
    }
    store.close();
  }
}
