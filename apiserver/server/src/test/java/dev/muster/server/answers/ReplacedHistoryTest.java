package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.store.Commit;
import dev.muster.store.CommitResult;
import dev.muster.store.Feed;
import dev.muster.store.Image;
import dev.muster.store.MemoryStore;
import dev.muster.store.StoreException;
import dev.muster.store.Transaction;
import dev.muster.testing.ForwardingStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What clients hear when the store has another history than the one that they know. */
@Tag("slow")
class ReplacedHistoryTest {
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";

  private final RestoredStore store = new RestoredStore();
  private RunningServer server;

  @BeforeEach
  void start(@TempDir Path directory) throws Exception {
    server = RunningServer.start(directory, store);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static String map(String name) {
    return "{\"metadata\":{\"name\":\"" + name + "\"}}";
  }

  private long revision() {
    var list = server.get(MAPS).object();
    return Long.parseLong(list.object("metadata").string("resourceVersion"));
  }

  @Test
  void everythingAboutTheClusterIsRefusedAndWatchesEnd() {
    server.post(MAPS, map("one"));
    var watch =
        CompletableFuture.supplyAsync(
            () -> server.get(MAPS + "?watch=true&resourceVersion=" + revision()).text());
    await()
        .until(
            () ->
                server
                    .get("/metrics")
                    .text()
                    .lines()
                    .filter(line -> line.startsWith("apiserver_longrunning_requests{"))
                    .anyMatch(line -> line.contains("configmaps") && !line.endsWith(" 0.0")));
    store.restore(new StoreException.Replaced("cluster 2 answers instead of cluster 1"));

    assertThat(watch).succeedsWithin(Duration.ofSeconds(20)).asString().contains("\"Expired\"");
    for (var path :
        List.of(
            MAPS,
            MAPS + "/one",
            MAPS + "?resourceVersion=0",
            MAPS + "?watch=true&resourceVersion=1",
            "/api/v1",
            "/openapi/v3")) {
      var answer = server.get(path);
      assertThat(answer.code()).as(path).isEqualTo(503);
      assertThat(answer.object().string("reason")).isEqualTo("ServiceUnavailable");
      assertThat(answer.message()).contains("the store's history was replaced");
    }
    assertThat(server.post(MAPS, map("two")).code()).isEqualTo(503);
    assertThat(server.delete(MAPS + "/one", "").code()).isEqualTo(503);
    // The store's own words are for those who may ask for the check alone.
    var told = server.get("/readyz?verbose");
    assertThat(told.code()).isEqualTo(500);
    assertThat(told.text()).contains("[-]etcd failed: cluster 2 answers instead of cluster 1\n");
    assertThat(server.anonymously("/readyz?verbose").text())
        .contains("[-]etcd failed: reason withheld\n")
        .doesNotContain("cluster 2");
    assertThat(server.get("/version").code()).isEqualTo(200);
    assertThat(server.get("/metrics").code()).isEqualTo(200);
    // Whatever the store says later.
    store.restore(null);
    assertThat(server.get(MAPS).code()).isEqualTo(503);
    assertThat(store.commits.getCount()).isEqualTo(1);
  }

  @Test
  void aWriteThatIsCommittedWhileTheHistoryIsReplacedIsNotAcknowledged() throws Exception {
    server.post(MAPS, map("one"));
    store.hide();
    var write = CompletableFuture.supplyAsync(() -> server.post(MAPS, map("two")));
    assertThat(store.commits.await(20, TimeUnit.SECONDS)).isTrue();
    store.restore(new StoreException.Replaced("restored"));
    assertThat(write)
        .succeedsWithin(Duration.ofSeconds(20))
        .satisfies(
            answer -> {
              assertThat(answer.code()).isEqualTo(504);
              assertThat(answer.message()).contains("did not say whether the write took effect");
            });
  }

  @Test
  void aRevisionThatTheStoreHasNotReachedIsAnsweredAsTooLarge() {
    long future = revision() + 1_000;
    for (var query : List.of("", "&resourceVersionMatch=Exact", "&limit=1")) {
      var answer = server.get(MAPS + "?resourceVersion=" + future + query);
      assertThat(answer.code()).as(query).isEqualTo(504);
      var details = answer.object().object("details");
      assertThat(details.integer("retryAfterSeconds", 0)).isEqualTo(1);
      assertThat(details.array("causes").objects().iterator().next().string("reason"))
          .isEqualTo("ResourceVersionTooLarge");
    }
  }

  /** It would miss everything until the store has caught up with the number. */
  @Test
  void aWatchFromARevisionThatTheStoreHasNotReachedEndsAsExpired() {
    long future = revision() + 1_000;
    var answer = server.get(MAPS + "?watch=true&timeoutSeconds=30&resourceVersion=" + future);
    assertThat(answer.code()).isEqualTo(200);
    assertThat(answer.text()).contains("\"ERROR\"", "\"Expired\"", "is not one of this cluster");
  }

  /** A store that can be told that its history is another one. */
  private static final class RestoredStore extends ForwardingStore {
    private final CountDownLatch commits = new CountDownLatch(1);
    private volatile StoreException.@Nullable Replaced replaced;
    private volatile boolean hides;

    RestoredStore() {
      super(new MemoryStore());
    }

    void restore(StoreException.@Nullable Replaced reason) {
      replaced = reason;
    }

    /** Commits are not shown any more. */
    void hide() {
      hides = true;
    }

    @Override
    public CompletableFuture<CommitResult> commit(Transaction transaction) {
      var reason = replaced;
      if (reason != null) {
        return CompletableFuture.failedFuture(reason);
      }
      boolean hidden =
          hides
              && transaction.operations().stream()
                  .anyMatch(operation -> operation.key().equals("/configmaps/default/two"));
      return super.commit(transaction)
          .whenComplete(
              (result, failure) -> {
                if (hidden && result instanceof CommitResult.Committed) {
                  commits.countDown();
                }
              });
    }

    @Override
    public CompletableFuture<Long> readIndex() {
      var reason = replaced;
      return reason == null ? super.readIndex() : CompletableFuture.failedFuture(reason);
    }

    @Override
    public Image image() {
      var reason = replaced;
      if (reason != null) {
        throw reason;
      }
      return super.image();
    }

    @Override
    public Feed follow(long afterRevision) {
      var feed = super.follow(afterRevision);
      return new Feed() {
        @Override
        public List<Commit> take(Duration patience) throws InterruptedException {
          var reason = replaced;
          if (reason != null) {
            throw reason;
          }
          if (hides) {
            TimeUnit.MILLISECONDS.sleep(1);
            return List.of();
          }
          var taken = feed.take(patience);
          // The commit may have come to a call that began before it was to be hidden.
          return hides ? List.of() : taken;
        }

        @Override
        public boolean connected() {
          return feed.connected();
        }

        @Override
        public void close() {
          feed.close();
        }
      };
    }
  }
}
