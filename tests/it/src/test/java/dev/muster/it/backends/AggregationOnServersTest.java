package dev.muster.it.backends;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.it.races.RaceHttp;
import dev.muster.it.races.RaceHttp.Answer;
import dev.muster.it.races.RacingServers;
import dev.muster.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An API server behind several servers of one cluster. */
@Tag("slow")
class AggregationOnServersTest {
  private static final int SERVERS = 3;
  private static final String MERGE = "application/merge-patch+json";

  @TempDir private Path folder;
  private StubbornBackend backend;
  private RacingServers servers;
  private RaceHttp http;

  @BeforeEach
  void start() throws IOException, GeneralSecurityException {
    backend = new StubbornBackend();
    servers = RacingServers.start(folder, RacingServers.inMemory(SERVERS), 1, 0, Set.of());
    http = new RaceHttp(RacingServers.TOKEN);
    made(http.post(first("/api/v1/namespaces"), "{\"metadata\":{\"name\":\"stuck\"}}"));
  }

  @AfterEach
  void stop() {
    backend.close();
    http.close();
    servers.close();
  }

  private String first(String path) {
    return servers.url(0) + path;
  }

  private static Answer made(Answer answer) {
    assertThat(answer.code()).as(answer.message()).isBetween(200, 201);
    return answer;
  }

  /** The answer of a server that hears of everything once it has asked the store. */
  private Answer later(int server, Supplier<Answer> request) {
    var link = servers.link(server);
    long asked = link.asked();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var answer = CompletableFuture.supplyAsync(request, threads);
      await().until(() -> answer.isDone() || link.asked() > asked);
      link.letGo();
      return answer.join();
    }
  }

  private JsonObject awaitAvailable(boolean available) {
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> StubbornApi.isAvailable(apiService()) == available);
    return apiService();
  }

  private JsonObject apiService() {
    return http.get(first(StubbornApi.API_SERVICE)).body();
  }

  private static String version(JsonObject object) {
    return object.object("metadata").string("resourceVersion");
  }

  @Test
  void whatWasMadeThroughOneServerIsServedByTheOthersAtOnce() {
    servers.link(1).holdBack();
    StubbornApi.objects(backend).forEach((path, json) -> made(http.post(first(path), json)));
    awaitAvailable(true);
    var thing = later(1, () -> http.get(servers.url(1) + StubbornApi.THINGS + "/quick"));
    assertThat(thing.code()).as(thing.message()).isEqualTo(200);
    assertThat(thing.body().string("kind")).isEqualTo("Thing");
  }

  @Test
  void whatWasDeletedThroughOneServerIsServedByNoOther() {
    StubbornApi.objects(backend).forEach((path, json) -> made(http.post(first(path), json)));
    awaitAvailable(true);
    assertThat(http.get(servers.url(1) + StubbornApi.THINGS + "/quick").code()).isEqualTo(200);
    servers.link(1).holdBack();
    made(http.send("DELETE", first(StubbornApi.API_SERVICE), "", ""));
    assertThat(later(1, () -> http.get(servers.url(1) + StubbornApi.THINGS + "/quick")).code())
        .isEqualTo(404);
  }

  /** All of them look; one of them writes what has changed, and nobody what has not. */
  @Test
  void availabilityIsWrittenOnceForAllServers() {
    StubbornApi.objects(backend).forEach((path, json) -> made(http.post(first(path), json)));
    var available = awaitAvailable(true);

    everybodyLooksAgain();
    assertThat(version(apiService())).isEqualTo(version(available));

    made(http.send("DELETE", first(StubbornApi.SERVICES + "/stubborn"), "", ""));
    awaitAvailable(false);
    made(http.post(first(StubbornApi.SERVICES), StubbornApi.SERVICE));
    var again = awaitAvailable(true);
    everybodyLooksAgain();
    assertThat(version(apiService())).isEqualTo(version(again));

    var changes =
        http.watch(
            first(StubbornApi.API_SERVICES)
                + "?watch=true&fieldSelector=metadata.name=v1.stubborn.example.com&resourceVersion="
                + version(available),
            event -> version(event.object("object")).equals(version(again)));
    assertThat(changes).hasSize(2);
  }

  /** Whatever happens to the service, every server asks the API server behind once more. */
  private void everybodyLooksAgain() {
    int before = backend.discovered();
    made(
        http.send(
            "PATCH",
            first(StubbornApi.SERVICES + "/stubborn"),
            MERGE,
            "{\"metadata\":{\"annotations\":{\"seen\":\"" + before + "\"}}}"));
    await().atMost(Duration.ofSeconds(60)).until(() -> backend.discovered() >= before + SERVERS);
  }
}
