package dev.muster.it.races;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that listens before it has read the store lets its clients wait, and none fail. */
class StartingServerTest {
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";

  @TempDir private Path folder;

  @Test
  void requestsWaitUntilTheServerHasReadTheStoreButNotLongerThanTheyWant() throws Exception {
    try (var servers = RacingServers.start(folder, 1, 1, 0);
        var http = new RaceHttp(RacingServers.TOKEN)) {
      var link = servers.startWithoutStore();
      var url = servers.url(1) + MAPS;
      var impatient = http.post(url + "?timeout=300ms", "{\"metadata\":{\"name\":\"a\"}}");
      assertThat(impatient.code()).isEqualTo(504);
      assertThat(impatient.body().string("reason")).isEqualTo("Timeout");
      assertThat(http.get(url + "?timeout=300ms&resourceVersion=0").code()).isEqualTo(504);
      assertThat(http.send("nobody's", "GET", url, "", "").code()).isEqualTo(401);
      var patient =
          CompletableFuture.supplyAsync(() -> http.post(url, "{\"metadata\":{\"name\":\"b\"}}"));
      link.letGo();
      assertThat(patient.join().code()).isEqualTo(201);
      assertThat(http.get(url + "/a").code()).isEqualTo(404);
    }
  }
}
