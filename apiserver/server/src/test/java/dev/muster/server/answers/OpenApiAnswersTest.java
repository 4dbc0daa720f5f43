package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The documents are sent in the form that the client wants, and only when it has to have them. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OpenApiAnswersTest {
  private static final String PROTOBUF =
      "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

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
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /openapi/v2 | */*                                                        | application/json
          /openapi/v2 | application/json                                           | application/json
          /openapi/v2 | application/com.github.proto-openapi.spec.v2@v1.0+protobuf | P
          /openapi/v2 | application/com.github.proto-openapi.spec.v2.v1.0+protobuf | P
          /openapi/v2 | text/html, application/*;q=0.1                             | application/json
          /openapi/v2 | text/html                                                  | 406
          /openapi/v3/api/v1 | */*                                                 | application/json
          /openapi/v3/api/v1 | application/yaml                                    | 406
          """)
  void theFormIsWhatTheClientWants(String path, String accept, String form) {
    var answer = server.exchange("GET", path, accept, "");
    if (form.equals("406")) {
      assertThat(answer.statusCode()).isEqualTo(406);
      assertThat(answer.body()).isEmpty();
    } else {
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.headers().firstValue("content-type"))
          .contains(form.equals("P") ? PROTOBUF : form);
      assertThat(answer.headers().firstValue("vary")).contains("Accept");
    }
  }

  @ParameterizedTest
  @CsvSource({"/openapi/v2", "/openapi/v3", "/openapi/v3/apis/apps/v1"})
  void documentsThatTheClientHasAreNotSentAgain(String path) {
    var etag = server.exchange("GET", path, "*/*", "").headers().firstValue("etag").orElseThrow();
    for (var known : new String[] {etag, "W/" + etag, "\"other\", " + etag, "*"}) {
      var answer = server.exchange("GET", path, "*/*", known);
      assertThat(answer.statusCode()).describedAs(known).isEqualTo(304);
      assertThat(answer.body()).isEmpty();
    }
    assertThat(server.exchange("GET", path, "*/*", "\"other\"").statusCode()).isEqualTo(200);
  }

  @Test
  void documentsOfAHashAreKeptForEver() {
    var url =
        server
            .get("/openapi/v3")
            .object()
            .object("paths")
            .object("apis/apps/v1")
            .string("serverRelativeURL");
    var answer = server.exchange("GET", url, "application/json", "");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("cache-control")).contains("public, immutable");
    assertThat(answer.headers().firstValue("expires").orElse(""))
        .matches("[A-Z][a-z]{2}, \\d\\d [A-Z][a-z]{2} \\d{4} \\d\\d:\\d\\d:\\d\\d UTC");
    var old = server.exchange("GET", "/openapi/v3/apis/apps/v1?hash=0", "*/*", "");
    assertThat(old.statusCode()).isEqualTo(301);
    assertThat(old.headers().firstValue("location")).contains(url);
  }
}
