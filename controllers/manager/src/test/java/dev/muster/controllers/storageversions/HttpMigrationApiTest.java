package dev.muster.controllers.storageversions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pages of objects when the server has forgotten the moment at which the first one was read. */
class HttpMigrationApiTest {
  private static final String LIST =
      "{\"metadata\":{\"resourceVersion\":\"7\"},\"items\":[{\"metadata\":{\"name\":\"%s\"}}]}";

  private record Canned(int code, String body) {}

  private final Deque<Canned> answers = new ArrayDeque<>();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private HttpServer server;
  private KubernetesClient client;
  private MigrationApi api;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    var config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
            .withRequestRetryBackoffLimit(0)
            .build();
    client = new KubernetesClientBuilder().withConfig(config).build();
    api = new HttpMigrationApi(client, "test", Clock.systemUTC());
  }

  @AfterEach
  void stop() {
    client.close();
    server.stop(0);
  }

  private synchronized void answer(HttpExchange exchange) throws IOException {
    asked.add(exchange.getRequestURI().getRawQuery());
    var canned = answers.removeFirst();
    var body = canned.body().getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("content-type", "application/json");
    exchange.sendResponseHeaders(canned.code(), body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private synchronized void will(int code, String body) {
    answers.add(new Canned(code, body));
  }

  private static String expired(String next) {
    return """
    {"kind":"Status","apiVersion":"v1","metadata":{"continue":"%s"},"status":"Failure",
     "reason":"Expired","code":410,"message":"The provided continue parameter is too old"}
    """
        .formatted(next);
  }

  private static List<String> names(MigrationApi.Page page) {
    return page.items().stream().map(item -> item.object("metadata").string("name")).toList();
  }

  @Test
  void goesOnAmongTheObjectsOfTodayWhenThePlaceIsTooOld() {
    will(410, expired("a/b+c"));
    will(200, LIST.formatted("next"));
    var page = api.page(MigratedStore.THINGS, "old");
    assertThat(names(page)).containsExactly("next");
    assertThat(page.version()).isEqualTo("7");
    assertThat(page.next()).isEmpty();
    assertThat(asked).containsExactly("limit=500&continue=old", "limit=500&continue=a%2Fb%2Bc");
  }

  @Test
  void beginsAnewWhenTheServerDoesNotSayHowToGoOn() {
    will(410, expired(""));
    will(200, LIST.formatted("first"));
    assertThat(names(api.page(MigratedStore.THINGS, "old"))).containsExactly("first");
    assertThat(asked).containsExactly("limit=500&continue=old", "limit=500");
  }

  @Test
  void isBrokenOffWhenThatIsTooOldAsWell() {
    will(410, expired("newer"));
    will(410, expired("newest"));
    assertThatThrownBy(() -> api.page(MigratedStore.THINGS, "old"))
        .as("the next look at the migration goes on from here")
        .isInstanceOf(RuntimeException.class);
  }
}
