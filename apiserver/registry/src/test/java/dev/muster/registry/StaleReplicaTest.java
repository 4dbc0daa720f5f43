package dev.muster.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.muster.model.json.JsonObject;
import dev.muster.registry.write.WriteResult;
import dev.muster.store.Operation;
import dev.muster.types.options.DeleteOptions;
import dev.muster.types.options.Query;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** This server has not heard of what another one has acknowledged, and must not refuse for it. */
class StaleReplicaTest {
  private static final String MAPS = "v1/configmaps";
  private static final String KEY = "/configmaps/a/m";

  private final Workbench bench = new Workbench();

  @AfterEach
  void close() {
    bench.feed.letGo();
    bench.close();
  }

  private void known(String uid, String data) {
    write(uid, data);
    bench.stored(MAPS, "m");
  }

  private void write(String uid, String data) {
    var json =
        "{'kind':'ConfigMap','apiVersion':'v1','metadata':{'name':'m','namespace':'a','uid':'"
            + uid
            + "','creationTimestamp':'2026-01-01T00:00:00Z'},'data':"
            + data
            + "}";
    bench.commitElsewhere(
        new Operation.Put(
            KEY, json.replace('\'', '"').getBytes(StandardCharsets.UTF_8), Operation.ANY));
  }

  private void missed(Runnable elsewhere) {
    bench.feed.holdBack();
    elsewhere.run();
  }

  /** What comes of a request that has to wait until this server hears of everything. */
  private <T> T later(Supplier<T> request) {
    long asked = bench.link.asked();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var answer = CompletableFuture.supplyAsync(request, threads);
      await().until(() -> answer.isDone() || bench.link.asked() > asked);
      bench.feed.letGo();
      return answer.join();
    }
  }

  private WriteResult jsonPatch(String query, String body) {
    return bench
        .handlers
        .patches()
        .patch(
            bench.call(MAPS, "m", "", query),
            "application/json-patch+json",
            Workbench.body(body).bytes());
  }

  @Test
  void aTestThatHoldsHolds() {
    known("u", "{'v':'1'}");
    missed(() -> write("u", "{'v':'2'}"));
    var writeResult =
        later(
            () ->
                jsonPatch(
                    "",
                    "[{'op':'test','path':'/data/v','value':'2'},"
                        + "{'op':'replace','path':'/data/v','value':'3'}]"));
    assertThat(writeResult.code()).isEqualTo(200);
    assertThat(bench.stored(MAPS, "m").object("data").string("v")).isEqualTo("3");
  }

  @Test
  void aDryRunShowsWhatWasAcknowledged() {
    known("u", "{'v':'1'}");
    missed(() -> write("u", "{'v':'2'}"));
    var writeResult =
        later(() -> jsonPatch("dryRun=All", "[{'op':'add','path':'/data/w','value':'1'}]"));
    assertThat(((WriteResult.Shown) writeResult).object().object("data"))
        .isEqualTo(JsonObject.of("v", "2", "w", "1"));
  }

  @Test
  void whatSeemsUnchangedIsChanged() {
    known("u", "{'v':'1'}");
    missed(() -> write("u", "{'v':'2'}"));
    later(() -> bench.patch(MAPS, "m", "", "{'data':{'v':'1'}}"));
    assertThat(bench.stored(MAPS, "m").object("data").string("v")).isEqualTo("1");
  }

  @Test
  void anObjectThatWasMadeAgainIsTheOneThatItsUidNames() {
    known("old", "{}");
    missed(
        () -> {
          bench.commitElsewhere(new Operation.Delete(KEY, Operation.ANY));
          write("new", "{}");
        });
    var writeResult =
        later(() -> bench.put(MAPS, "m", "", "{'metadata':{'name':'m','uid':'new'},'data':{}}"));
    assertThat(writeResult.code()).isEqualTo(200);
  }

  @Test
  void aVersionThatIsNewHereIsTheOneThatTheClientSaw() {
    known("u", "{'v':'1'}");
    missed(() -> write("u", "{'v':'2'}"));
    long version = bench.link.readIndex().join();
    var body = "{'metadata':{'name':'m','resourceVersion':'" + version + "'},'data':{'v':'3'}}";
    assertThat(later(() -> bench.put(MAPS, "m", "", body)).code()).isEqualTo(200);
  }

  @Test
  void whatIsThereIsFoundAndWhatIsGoneIsMade() {
    missed(() -> write("u", "{}"));
    assertThat(later(() -> bench.patch(MAPS, "m", "", "{'data':{'v':'1'}}")).code()).isEqualTo(200);
    missed(() -> bench.commitElsewhere(new Operation.Delete(KEY, Operation.ANY)));
    assertThat(later(() -> bench.create(MAPS, "{'metadata':{'name':'m'}}")).code()).isEqualTo(201);
    missed(() -> write("other", "{}"));
    var options =
        DeleteOptions.of(JsonObject.of("preconditions", JsonObject.of("uid", "other")), Query.NONE);
    later(() -> bench.handlers.deletes().delete(bench.call(MAPS, "m", ""), options));
    assertThat(bench.stored(MAPS, "m")).isEqualTo(JsonObject.EMPTY);
  }

  @Test
  void whoAppliedAValueElsewhereDoesNotConflictWithIt() {
    var configuration =
        "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'m'},'data':{'v':'mine'}}";
    known("u", "{'v':'1'}");
    bench.put(MAPS, "m", "", "{'metadata':{'name':'m'},'data':{'v':'theirs'}}");
    missed(() -> write("u", "{'v':'mine'}"));
    assertThat(later(() -> bench.apply(MAPS, "m", "", configuration)).code()).isEqualTo(200);
  }

  @Test
  void whatSucceedsAsksTheStoreNothing() {
    known("u", "{}");
    long asked = bench.link.asked();
    bench.patch(MAPS, "m", "", "{'data':{'v':'1'}}");
    bench.create(MAPS, "{'metadata':{'name':'n'}}");
    bench.handlers.deletes().delete(bench.call(MAPS, "n", ""), DeleteOptions.of(null, Query.NONE));
    assertThat(bench.link.asked()).isEqualTo(asked);
  }

  @Test
  void aRefusalAsksOnce() {
    known("u", "{}");
    long asked = bench.link.asked();
    assertThatThrownBy(() -> bench.create(MAPS, "{'metadata':{'name':'m'}}"))
        .hasMessage("configmaps \"m\" already exists");
    assertThat(bench.link.asked()).isEqualTo(asked + 1);
  }
}
