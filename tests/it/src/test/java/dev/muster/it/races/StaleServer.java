package dev.muster.it.races;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.it.races.RaceHttp.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** Two servers on one store, of which the second can be kept from hearing what happens. */
final class StaleServer implements AutoCloseable {
  private final RacingServers servers;
  private final RaceHttp http = new RaceHttp(RacingServers.TOKEN);

  StaleServer(Path folder) throws IOException {
    servers = RacingServers.start(folder, 2, 1, 0);
  }

  RaceHttp http() {
    return http;
  }

  String first(String path) {
    return servers.url(0) + path;
  }

  String second(String path) {
    return servers.url(1) + path;
  }

  static Answer made(Answer answer) {
    assertThat(answer.code()).as(answer.message()).isBetween(200, 201);
    return answer;
  }

  /** The answer of the second server, which hears of everything once it has asked the store. */
  Answer later(Supplier<Answer> request) {
    var link = servers.link(1);
    long asked = link.asked();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var answer = CompletableFuture.supplyAsync(request, threads);
      await().until(() -> answer.isDone() || link.asked() > asked);
      letGo();
      return answer.join();
    }
  }

  /** From now on the second server hears of nothing. */
  void hold() {
    servers.link(1).holdBack();
  }

  /** Tells the second server what it has missed. */
  void letGo() {
    servers.link(1).letGo();
  }

  @Override
  public void close() {
    http.close();
    servers.close();
  }
}
