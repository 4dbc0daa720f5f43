package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonObject;
import dev.muster.wire.JsonReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Paths that are no resources: which of them there are, and how their answers may be kept. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PathAnswersTest {
  private static final String AGGREGATED =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

  private RunningServer server;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    server = RunningServer.start(directory);
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "/healthz, 200, nosniff",
    "/healthz?verbose, 200, nosniff",
    "/healthz/ping, 200, ''",
    "/healthz/nonsense, 404, nosniff",
    "/healthz/, 404, nosniff",
    "/livez/, 404, nosniff",
    "/readyz/ping/, 404, nosniff",
    "/metrics/, 404, nosniff",
    "/version, 200, ''",
    "/version/, 200, ''",
    "/openid/v1/jwks/, 200, ''",
    "/.well-known/openid-configuration/, 200, ''",
    "/index.html, 200, ''",
    "/nonsense, 404, nosniff",
    "/openapi/v2/, 404, nosniff",
    "/openapi/v3/, 404, ''",
    "/openapi/v3/nonsense, 404, ''",
    "/openapi/v3/api/v1/, 404, ''",
    "/apis/apps/v1/, 200, ''",
  })
  void onlyTheVeryPathIsAnswered(String path, int code, String sniffing) {
    var answer = server.exchange("GET", path, "*/*", "");
    assertThat(answer.statusCode()).isEqualTo(code);
    assertThat(answer.headers().firstValue("x-content-type-options").orElse(""))
        .isEqualTo(sniffing);
  }

  @ParameterizedTest
  @CsvSource({
    "/version, 'no-cache, private'",
    "/readyz, 'no-cache, private'",
    "/openid/v1/jwks, 'public, max-age=3600'",
    "/.well-known/openid-configuration, 'public, max-age=3600'",
    "/api, public",
    "/apis, public",
    "/apis/apps, 'no-cache, private'",
    "/openapi/v2, 'no-cache, private'",
  })
  void answersSayHowLongTheyMayBeKept(String path, String control) {
    var accept = path.startsWith("/api") ? AGGREGATED + ",application/json" : "*/*";
    var answer = server.exchange("GET", path, accept, "");
    assertThat(answer.headers().firstValue("cache-control")).contains(control);
    var etag = answer.headers().firstValue("etag").orElse("");
    if (!etag.isEmpty()) {
      var again = server.exchange("GET", path, accept, etag);
      assertThat(again.statusCode()).isEqualTo(304);
      assertThat(again.headers().firstValue("cache-control")).contains(control);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/version, */*, true",
    "/, */*, true",
    "/apis, */*, false",
    "/apis?pretty=1, */*, true",
    "/apis/apps/v1?pretty=true, */*, true",
    "/apis/apps/v1?pretty=no, */*, false",
    "/apis/apps, application/json;pretty=1, true",
    "/apis/apps, text/html, true",
    "/api/v1/namespaces/nonsense, */*, false",
    "/api/v1/namespaces/nonsense?pretty=1, */*, true",
    "/api/v1/namespaces/nonsense, application/json;pretty=1, true",
  })
  void documentsAndErrorsHaveLinesWhenSomebodyReadsThem(String path, String accept, boolean lines) {
    var body = new String(server.exchange("GET", path, accept, "").body(), StandardCharsets.UTF_8);
    assertThat(body.startsWith("{\n  \"")).isEqualTo(lines);
    assertThat(JsonReader.read(body.getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(JsonObject.class);
  }
}
