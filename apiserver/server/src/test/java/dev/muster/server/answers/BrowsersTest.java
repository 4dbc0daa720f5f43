package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.server.options.BrowserOptions;
import java.net.http.HttpClient.Version;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What browsers are told. */
class BrowsersTest {
  @TempDir private static Path folder;
  private static RunningServer server;

  @BeforeAll
  static void start() throws Exception {
    server =
        RunningServer.start(
            folder,
            options ->
                options.withRequests(
                    options
                        .requests()
                        .withBrowsers(
                            new BrowserOptions(
                                List.of("//page\\.example(:|$)"),
                                List.of("max-age=31536000", "includeSubDomains"),
                                0.02))));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static HttpResponse<?> ask(String method, String path, String... headers)
      throws Exception {
    return server.open(Version.HTTP_2, method, path, headers).get();
  }

  @Test
  void everyAnswerAsksForEncryptedConnections() throws Exception {
    for (var path : List.of("/healthz", "/api/v1/namespaces", "/nowhere", "/metrics")) {
      assertThat(ask("GET", path).headers().allValues("strict-transport-security"))
          .as(path)
          .containsExactly("max-age=31536000; includeSubDomains");
    }
  }

  @Test
  void pagesOfAllowedOriginsMayUseTheServer() throws Exception {
    var allowed = ask("GET", "/version", "Origin", "https://page.example:8443");
    assertThat(allowed.statusCode()).isEqualTo(200);
    assertThat(allowed.headers().firstValue("access-control-allow-origin"))
        .contains("https://page.example:8443");
    assertThat(allowed.headers().firstValue("access-control-allow-credentials")).contains("true");
    var before = ask("OPTIONS", "/api/v1/pods", "Origin", "https://page.example");
    assertThat(before.statusCode()).isEqualTo(204);
    assertThat(before.headers().firstValue("access-control-allow-methods"))
        .contains("POST, GET, OPTIONS, PUT, DELETE, PATCH");
  }

  @Test
  void pagesOfOtherOriginsAreToldNothing() throws Exception {
    for (var origin : List.of("https://page.example.evil", "https://evil", "null")) {
      var answer = ask("GET", "/version", "Origin", origin);
      assertThat(answer.headers().firstValue("access-control-allow-origin")).as(origin).isEmpty();
    }
  }

  @Test
  void optionsThatMakeNoSenseAreRefused() {
    assertThatThrownBy(() -> new BrowserOptions(List.of("page"), List.of(), 0))
        .hasMessageContaining("--cors-allowed-origins");
    assertThatThrownBy(() -> new BrowserOptions(List.of("//("), List.of(), 0))
        .hasMessageContaining("no regular expression");
    assertThatThrownBy(() -> new BrowserOptions(List.of(), List.of("max-age=x"), 0))
        .hasMessageContaining("allowed values");
    for (double chance : new double[] {-0.001, 0.021, Double.NaN}) {
      assertThatThrownBy(() -> new BrowserOptions(List.of(), List.of(), chance))
          .hasMessageContaining("--goaway-chance");
    }
  }
}
