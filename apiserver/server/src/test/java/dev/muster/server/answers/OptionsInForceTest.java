package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Flags that change what a server does, seen from outside. */
class OptionsInForceTest {
  private static final String PRIVILEGED =
      """
      {"metadata":{"name":"p"},"spec":{"containers":[
        {"name":"c","image":"i","securityContext":{"privileged":true}}]}}
      """;

  @TempDir private Path folder;

  @Test
  void http2IsSpokenUnlessItIsSwitchedOff() throws Exception {
    try (var server = RunningServer.start(folder)) {
      assertThat(server.exchange("GET", "/version", "*/*", "").version())
          .isEqualTo(HttpClient.Version.HTTP_2);
    }
    try (var server =
        RunningServer.start(
            folder, options -> options.withListen(options.listen().withoutHttp2()))) {
      assertThat(server.exchange("GET", "/version", "*/*", "").version())
          .isEqualTo(HttpClient.Version.HTTP_1_1);
    }
  }

  @Test
  void privilegedPodsAreRefusedUnlessTheyAreAllowed() throws Exception {
    try (var server =
        RunningServer.start(
            folder, options -> options.withNodes(options.nodes().withPrivileged(false)))) {
      var refused = server.post("/api/v1/namespaces/default/pods", PRIVILEGED);
      assertThat(refused.code()).isEqualTo(422);
      assertThat(refused.message())
          .isEqualTo(
              "Pod \"p\" is invalid: spec.containers[0].securityContext.privileged: Forbidden:"
                  + " disallowed by cluster policy");
    }
    try (var server =
        RunningServer.start(
            folder, options -> options.withNodes(options.nodes().withPrivileged(true)))) {
      assertThat(server.post("/api/v1/namespaces/default/pods", PRIVILEGED).code()).isEqualTo(201);
    }
  }
}
