package dev.muster.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RequestsTest {

  private static ServerResponse text(int status, String text) {
    return ServerResponse.of(status, "text/plain", text.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void handsUpMethodPathQueryHeadersAndBody(HttpClient.Version version) throws Exception {
    try (var server =
            TestServer.start(
                exchange ->
                    exchange.respond(
                        text(
                            201,
                            exchange.method()
                                + " "
                                + exchange.path()
                                + " "
                                + exchange.query()
                                + " "
                                + exchange.header("x-one")
                                + " "
                                + exchange.headers("x-many")
                                + " "
                                + exchange.header("x-none")
                                + " "
                                + exchange.header("host")
                                + " "
                                + exchange.remoteAddress().getAddress().isLoopbackAddress()
                                + " "
                                + exchange.inEventLoop()
                                + " "
                                + new String(exchange.body(), StandardCharsets.UTF_8))));
        var client = TestServer.client(version)) {
      var answer =
          client.send(
              HttpRequest.newBuilder(server.uri("/api/v1/n%20s?a=b%2Fc&d"))
                  .header("X-One", "1")
                  .header("x-many", "2")
                  .header("x-many", "3")
                  .method("PATCH", HttpRequest.BodyPublishers.ofString("körper"))
                  .build(),
              BodyHandlers.ofString());
      assertThat(answer.version()).isEqualTo(version);
      assertThat(answer.statusCode()).isEqualTo(201);
      assertThat(answer.body())
          .isEqualTo(
              "PATCH /api/v1/n%20s a=b%2Fc&d 1 [2, 3] null 127.0.0.1:"
                  + server.port()
                  + " true true körper");
      assertThat(answer.headers().firstValue("content-type")).contains("text/plain");
      assertThat(answer.headers().firstValue("date")).isPresent();
      assertThat(answer.headers().firstValue("content-length"))
          .contains(String.valueOf(answer.body().getBytes(StandardCharsets.UTF_8).length));
    }
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void answersFromOtherThreads(HttpClient.Version version) throws Exception {
    try (var server =
            TestServer.start(
                exchange -> {
                  exchange.identified(true);
                  Thread.ofVirtual().start(() -> exchange.respond(text(200, exchange.path())));
                });
        var client = TestServer.client(version)) {
      // So that the client may send more than a hundred at a time.
      client.send(HttpRequest.newBuilder(server.uri("/")).build(), BodyHandlers.discarding());
      var answers = new ArrayList<CompletableFuture<String>>();
      for (int i = 0; i < 200; i++) {
        answers.add(
            client
                .sendAsync(
                    HttpRequest.newBuilder(server.uri("/" + i)).build(), BodyHandlers.ofString())
                .thenApply(answer -> answer.body()));
      }
      for (int i = 0; i < 200; i++) {
        assertThat(answers.get(i).get()).isEqualTo("/" + i);
      }
      assertThat(server.server.counters().requestsInFlight.sum()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void sharedPiecesArriveIntactUnderConcurrency(HttpClient.Version version) throws Exception {
    var random = new Random(7);
    var pieces = new ArrayList<byte[]>();
    for (int i = 0; i < 3000; i++) {
      var piece = new byte[random.nextInt(2000)];
      random.nextBytes(piece);
      pieces.add(piece);
    }
    var answer = new ServerResponse(200, List.of(new Header("x-a", "b")), pieces, false);
    var whole = new byte[(int) answer.length()];
    int at = 0;
    for (var piece : pieces) {
      System.arraycopy(piece, 0, whole, at, piece.length);
      at += piece.length;
    }
    try (var server = TestServer.start(exchange -> exchange.respond(answer));
        var client = TestServer.client(version)) {
      var answers = new ArrayList<CompletableFuture<byte[]>>();
      for (int i = 0; i < 20; i++) {
        answers.add(
            client
                .sendAsync(
                    HttpRequest.newBuilder(server.uri("/")).build(), BodyHandlers.ofByteArray())
                .thenApply(each -> each.body()));
      }
      for (var each : answers) {
        assertThat(Arrays.equals(each.get(), whole)).isTrue();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void noContentAndHeadHaveNoBody(HttpClient.Version version) throws Exception {
    try (var server =
            TestServer.start(
                exchange ->
                    exchange.respond(
                        exchange.path().equals("/none")
                            ? new ServerResponse(204, List.of(), List.of(), true)
                            : text(200, "hello")));
        var client = TestServer.client(version)) {
      var none =
          client.send(HttpRequest.newBuilder(server.uri("/none")).build(), BodyHandlers.ofString());
      assertThat(none.statusCode()).isEqualTo(204);
      assertThat(none.headers().firstValue("content-length")).isEmpty();
      var head =
          client.send(
              HttpRequest.newBuilder(server.uri("/")).HEAD().build(), BodyHandlers.ofString());
      assertThat(head.body()).isEmpty();
      assertThat(head.headers().firstValue("content-length")).contains("5");
      var get =
          client.send(HttpRequest.newBuilder(server.uri("/")).build(), BodyHandlers.ofString());
      assertThat(get.body()).isEqualTo("hello");
    }
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void aFailingHandlerGivesInternalServerError(HttpClient.Version version) throws Exception {
    try (var server =
            TestServer.start(
                exchange -> {
                  throw new IllegalStateException("secret");
                });
        var client = TestServer.client(version)) {
      var answer =
          client.send(HttpRequest.newBuilder(server.uri("/")).build(), BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(500);
      assertThat(answer.body()).doesNotContain("secret");
    }
  }
}
