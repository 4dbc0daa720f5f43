package dev.muster.controllers.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.muster.controllers.client.ApiRequests;
import dev.muster.controllers.client.JsonTrees;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Against a server that answers each request as the test says, and breaks off where it says. */
class ReflectorTest {
  private static final String END =
      "{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"%s\",\"annotations\":"
          + "{\"k8s.io/initial-events-end\":\"true\"}}}}";

  /** An answer: its code and its lines, after which the connection is closed. */
  private record Answer(int code, List<String> lines) {}

  private final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
  private final List<String> queries = new CopyOnWriteArrayList<>();
  private final List<String> told = new CopyOnWriteArrayList<>();
  private HttpServer server;
  private KubernetesClient client;
  private final List<Reflector<String>> reflectors = new CopyOnWriteArrayList<>();

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::answer);
    server.start();
    client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder()
                    .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                    .withRequestRetryBackoffLimit(0)
                    .build())
            .build();
  }

  @AfterEach
  void stop() {
    answers.add(new Answer(500, List.of()));
    reflectors.forEach(Reflector::close);
    client.close();
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    queries.add(String.valueOf(exchange.getRequestURI().getRawQuery()));
    try (exchange) {
      var answer = answers.take();
      exchange.sendResponseHeaders(answer.code(), 0);
      for (var line : answer.lines()) {
        exchange.getResponseBody().write((line + "\n").getBytes(StandardCharsets.UTF_8));
      }
    } catch (InterruptedException e) {
      throw new UncheckedIOException(new IOException(e));
    }
  }

  private void script(int code, String... lines) {
    answers.add(new Answer(code, List.of(lines)));
  }

  private void follow() {
    reflectors.add(
        Reflector.start(
            new ApiRequests(client),
            "/api/v1/things",
            map -> JsonTrees.object(map).object("metadata").string("name"),
            new Reflector.Handler<>() {
              @Override
              public void seen(String name) {
                told.add("seen " + name);
              }

              @Override
              public void gone(String name) {
                told.add("gone " + name);
              }
            }));
  }

  private static String event(String type, String name, int version) {
    return "{\"type\":\"%s\",\"object\":%s}".formatted(type, thing(name, version));
  }

  private static String thing(String name, int version) {
    return "{\"metadata\":{\"name\":\"%1$s\",\"uid\":\"u-%1$s\",\"resourceVersion\":\"%2$d\"}}"
        .formatted(name, version);
  }

  private void awaitTold(String... wanted) {
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(told).containsExactly(wanted));
  }

  private void awaitQueries(int count) {
    await().atMost(Duration.ofSeconds(60)).until(() -> queries.size() >= count);
  }

  @Test
  void theFirstStateIsStreamedAndThenFollowed() {
    script(
        200,
        event("ADDED", "a", 1),
        END.formatted("5"),
        event("MODIFIED", "a", 6),
        event("DELETED", "a", 7));
    follow();
    awaitTold("seen a", "seen a", "gone a");
    awaitQueries(2);
    assertThat(reflectors.getFirst().synced()).isTrue();
    assertThat(queries.getFirst()).contains("sendInitialEvents=true");
    assertThat(queries.get(1)).contains("&resourceVersion=7").doesNotContain("sendInitialEvents");
  }

  @Test
  void aLostWatchGoesOnWhereItEnded() {
    script(200, event("ADDED", "a", 1), END.formatted("5"));
    script(200, event("ADDED", "b", 6));
    script(503, "{\"message\":\"later\"}");
    script(200, event("ADDED", "c", 8));
    follow();
    awaitTold("seen a", "seen b", "seen c");
    assertThat(queries.get(1)).contains("&resourceVersion=5");
    assertThat(queries.get(2)).contains("&resourceVersion=6");
    assertThat(queries.get(3)).contains("&resourceVersion=6");
  }

  @Test
  void afterAGapWhatWentAwayUnseenIsToldAsGone() {
    script(200, event("ADDED", "a", 1), event("ADDED", "b", 2), END.formatted("5"));
    script(200, "{\"type\":\"ERROR\",\"object\":{\"code\":410,\"message\":\"too old\"}}");
    script(200, event("ADDED", "b", 2), END.formatted("9"));
    follow();
    awaitTold("seen a", "seen b", "seen b", "gone a");
    assertThat(queries.get(2)).contains("sendInitialEvents=true");
  }

  @Test
  void aFirstStateThatBreaksOffIsReadAnew() {
    script(200, event("ADDED", "a", 1));
    script(200, event("ADDED", "a", 1), event("ADDED", "b", 2), END.formatted("5"));
    follow();
    awaitTold("seen a", "seen a", "seen b");
    assertThat(queries.get(1)).contains("sendInitialEvents=true");
  }

  @Test
  void aServerThatCannotStreamIsAskedForPages() {
    script(422, "{\"message\":\"sendInitialEvents is forbidden\"}");
    script(
        200,
        "{\"metadata\":{\"resourceVersion\":\"5\",\"continue\":\"x\"},\"items\":["
            + thing("a", 1)
            + "]}");
    script(200, "{\"metadata\":{\"resourceVersion\":\"5\"},\"items\":[" + thing("b", 2) + "]}");
    script(200, event("DELETED", "a", 6));
    follow();
    awaitTold("seen a", "seen b", "gone a");
    assertThat(queries.get(2)).contains("continue=x");
    assertThat(queries.get(3)).contains("&resourceVersion=5");
  }

  @Test
  void aServerThatSaysInTheStreamThatItCannotStreamIsAskedForPages() {
    script(
        200,
        "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":500,\"message\":"
            + "\"the required storage feature RequestWatchProgress is disabled\"}}");
    script(200, "{\"metadata\":{\"resourceVersion\":\"5\"},\"items\":[" + thing("a", 1) + "]}");
    script(200, event("DELETED", "a", 6));
    follow();
    awaitTold("seen a", "gone a");
    assertThat(queries.get(1)).doesNotContain("watch=true");
    assertThat(queries.get(2)).contains("&resourceVersion=5");
  }

  @Test
  void aPageThatIsTooOldStartsTheListAnew() {
    script(400, "{\"message\":\"no\"}");
    script(
        200,
        "{\"metadata\":{\"resourceVersion\":\"5\",\"continue\":\"x\"},\"items\":["
            + thing("a", 1)
            + "]}");
    script(410, "{\"message\":\"expired\"}");
    script(200, "{\"metadata\":{\"resourceVersion\":\"9\"},\"items\":[" + thing("b", 2) + "]}");
    follow();
    awaitTold("seen a", "seen b", "gone a");
  }
}
