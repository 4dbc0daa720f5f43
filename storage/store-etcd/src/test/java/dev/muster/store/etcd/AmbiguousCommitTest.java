package dev.muster.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.muster.store.CommitResult;
import dev.muster.store.Operation;
import dev.muster.store.Store;
import dev.muster.store.StoreException;
import dev.muster.store.Transaction;
import dev.muster.testing.EtcdCluster;
import dev.muster.testing.NeedsProgram;
import dev.muster.testing.StoreFixture;
import dev.muster.testing.TcpProxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commits whose connection breaks half-way: found out, or said to be unknown, never guessed. */
@Tag("slow")
@NeedsProgram(value = "etcd", from = "3.4")
class AmbiguousCommitTest {
  private static final AtomicInteger PREFIXES = new AtomicInteger();

  @TempDir static Path folder;
  private static EtcdCluster etcd;

  private final String prefix = "/ambiguous" + PREFIXES.incrementAndGet();
  private TcpProxy proxy;
  private EtcdStore broken;
  private EtcdStore direct;

  @BeforeAll
  static void startEtcd() {
    etcd = EtcdCluster.start(folder, 1);
  }

  @AfterAll
  static void stopEtcd() {
    etcd.close();
  }

  @BeforeEach
  void open() {
    proxy = new TcpProxy(etcd.member(0).endpoint());
    broken = open(proxy.endpoint());
    direct = open(etcd.member(0).endpoint());
    StoreFixture.await(put(broken, "/warm", "up", Operation.ABSENT));
  }

  private EtcdStore open(String endpoint) {
    return EtcdStore.open(
        EtcdOptions.at(endpoint)
            .withPrefix(prefix)
            .withTimeouts(Duration.ofSeconds(2), Duration.ofSeconds(8))
            .withCompactionInterval(Duration.ZERO));
  }

  @AfterEach
  void close() {
    broken.close();
    direct.close();
    proxy.close();
  }

  @Test
  void findsOutThatACommitTookEffectWhoseAnswerWasLost() {
    proxy.swallowAnswers(true);
    var outcome = put(broken, "/a", "1", Operation.ABSENT);
    var revision = awaitValue("/a", "1");
    proxy.swallowAnswers(false);
    proxy.cut();

    assertThat(StoreFixture.await(outcome)).isEqualTo(new CommitResult.Committed(revision));
    assertThat(StoreFixture.await(put(broken, "/a", "2", revision)))
        .isInstanceOf(CommitResult.Committed.class);
  }

  @Test
  void findsOutThatItTookEffectEvenWhenOthersHaveOverwrittenIt() {
    proxy.swallowAnswers(true);
    var outcome = put(broken, "/a", "1", Operation.ABSENT);
    var revision = awaitValue("/a", "1");
    StoreFixture.await(put(direct, "/a", "2", revision));
    StoreFixture.await(direct.commit(Transaction.of(new Operation.Delete("/a", Operation.ANY))));
    proxy.swallowAnswers(false);
    proxy.cut();

    assertThat(StoreFixture.await(outcome)).isEqualTo(new CommitResult.Committed(revision));
  }

  @Test
  void makesACommitAgainThatNeverArrived() {
    proxy.swallowRequests(true);
    var outcome = put(broken, "/a", "1", Operation.ABSENT);
    await().until(() -> proxy.swallowed() > 0);
    proxy.swallowRequests(false);
    proxy.cut();

    assertThat(StoreFixture.await(outcome)).isInstanceOf(CommitResult.Committed.class);
    assertThat(modRevision("/a"))
        .isEqualTo(((CommitResult.Committed) StoreFixture.await(outcome)).revision());
  }

  @Test
  void doesNotTakeTheSameValueOfAnotherWriterForItsOwn() {
    proxy.swallowRequests(true);
    var outcome = put(broken, "/a", "same", Operation.ABSENT);
    await().until(() -> proxy.swallowed() > 0);
    var revision =
        ((CommitResult.Committed) StoreFixture.await(put(direct, "/a", "same", Operation.ABSENT)))
            .revision();
    proxy.swallowRequests(false);
    proxy.cut();

    assertThat(StoreFixture.await(outcome))
        .isInstanceOfSatisfying(
            CommitResult.Conflict.class,
            conflict -> assertThat(conflict.found().getFirst().modRevision()).isEqualTo(revision));
  }

  @Test
  void resolvesADeleteAndAPutWithoutAGuard() {
    StoreFixture.await(put(direct, "/a", "1", Operation.ABSENT));
    StoreFixture.await(put(direct, "/counter", "0", Operation.ABSENT));
    proxy.swallowAnswers(true);
    var deleted = broken.commit(Transaction.of(new Operation.Delete("/a", Operation.ANY)));
    var put = put(broken, "/counter", "1", Operation.ANY);
    await().until(() -> modRevision("/a") == 0);
    var revision = awaitValue("/counter", "1");
    proxy.swallowAnswers(false);
    proxy.cut();

    assertThat(StoreFixture.await(deleted)).isInstanceOf(CommitResult.Committed.class);
    assertThat(StoreFixture.await(put)).isEqualTo(new CommitResult.Committed(revision));
    assertThat(modRevision("/counter")).isEqualTo(revision);
  }

  @Test
  void saysThatItDoesNotKnowWhenItCannotFindOut() {
    proxy.swallowAnswers(true);
    var outcome = put(broken, "/a", "1", Operation.ABSENT);
    awaitValue("/a", "1");
    proxy.refuse(true);
    proxy.cut();

    assertThat(StoreFixture.await(outcome)).isInstanceOf(CommitResult.Unknown.class);
  }

  @Test
  void saysThatNothingHappenedWhenNothingWasSent() {
    proxy.refuse(true);
    proxy.cut();
    // The connection's end is noticed with the first call, which may still count as sent.
    assertThatThrownBy(() -> StoreFixture.await(broken.readIndex()))
        .isInstanceOf(StoreException.Unavailable.class);

    assertThatThrownBy(() -> StoreFixture.await(put(broken, "/a", "1", Operation.ABSENT)))
        .isInstanceOf(StoreException.Unavailable.class);
    proxy.refuse(false);
    assertThat(StoreFixture.await(put(broken, "/b", "1", Operation.ABSENT)))
        .isInstanceOf(CommitResult.Committed.class);
    assertThat(modRevision("/a")).isZero();
  }

  @Test
  void closingWhileInDoubtSaysUnknown()
      throws InterruptedException, ExecutionException, TimeoutException {
    proxy.swallowAnswers(true);
    var outcome = put(broken, "/a", "1", Operation.ABSENT);
    awaitValue("/a", "1");
    broken.close();

    assertThat(outcome.get(60, TimeUnit.SECONDS)).isInstanceOf(CommitResult.Unknown.class);
  }

  private static CompletableFuture<CommitResult> put(
      Store store, String key, String value, long expected) {
    return store.commit(
        Transaction.of(new Operation.Put(key, StoreFixture.bytes(value), expected)));
  }

  private long awaitValue(String key, String value) {
    await().pollInterval(Duration.ofMillis(20)).until(() -> value.equals(valueOf(key)));
    return modRevision(key);
  }

  private String valueOf(String key) {
    try (var image = direct.image()) {
      for (var entry : image) {
        if (entry.key().equals(key)) {
          return StoreFixture.text(entry.value());
        }
      }
    }
    return "";
  }

  private long modRevision(String key) {
    try (var image = direct.image()) {
      for (var entry : image) {
        if (entry.key().equals(key)) {
          return entry.modRevision();
        }
      }
    }
    return 0;
  }
}
