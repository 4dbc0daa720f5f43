package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.http.RawHttp1;
import dev.muster.model.json.JsonObject;
import dev.muster.wire.JsonReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is answered before anybody looks at a body, and what goes wrong behind it. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DoorAnswersTest {
  private static final String AS_ADMIN = "authorization: Bearer " + RunningServer.TOKEN + "\r\n";

  private final FaultyStore store = new FaultyStore();
  private RunningServer server;
  private String maps;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    server = RunningServer.start(directory, store);
    maps = "/api/v1/namespaces/" + server.namespace() + "/configmaps";
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private static String head(String method, String path, String headers) {
    return method + " " + path + " HTTP/1.1\r\nhost: x\r\n" + headers + "\r\n";
  }

  /** The code and message of what comes while the body never does. */
  private String refusal(String head) throws Exception {
    try (var client = server.connect()) {
      var answer = client.send(head).answer();
      return answer.status() + " " + message(answer);
    }
  }

  private static String message(RawHttp1.Answer answer) {
    return ((JsonObject) JsonReader.read(answer.body().getBytes(StandardCharsets.UTF_8)))
        .string("message");
  }

  @Test
  void aTimeoutThatIsNoneIsRefusedWhateverIsAskedForAndWhoever() throws Exception {
    var refused =
        "400 invalid timeout specified in the request URL - time: invalid duration \"soon\"";
    assertThat(refusal(head("GET", "/version?timeout=soon", AS_ADMIN))).isEqualTo(refused);
    assertThat(refusal(head("GET", "/apis?timeout=soon", AS_ADMIN))).isEqualTo(refused);
    assertThat(refusal(head("GET", maps + "?timeout=soon", "authorization: Bearer wrong\r\n")))
        .isEqualTo(refused);
  }

  @Test
  void aTokenAfterMoreThanOneSpaceIsIgnoredWithAWarning() throws Exception {
    var spaced = "authorization: Bearer  " + RunningServer.TOKEN + "\r\n";
    try (var client = server.connect()) {
      var ignored = client.send(head("GET", maps, spaced)).answer();
      assertThat(message(ignored)).startsWith("configmaps is forbidden: User \"system:anonymous\"");
      assertThat(ignored.header("warning"))
          .isEqualTo(
              "299 - \"the provided Authorization header contains extra space before the bearer"
                  + " token, and is ignored\"");
    }
    try (var client = server.connect()) {
      var followed = AS_ADMIN.replace("\r\n", " more\r\n");
      assertThat(client.send(head("GET", maps, followed)).answer().status()).isEqualTo(200);
    }
  }

  @Test
  void nobodyIsRefusedOnlyAfterHisBody() throws Exception {
    var open = "content-length: 100\r\n";
    assertThat(refusal(head("POST", maps, "authorization: Bearer wrong\r\n" + open)))
        .isEqualTo("401 Unauthorized");
    assertThat(refusal(head("POST", maps, open))).startsWith("403 configmaps is forbidden: User");
    assertThat(refusal(head("POST", maps + "/a/none", AS_ADMIN + open)))
        .isEqualTo("404 the server could not find the requested resource");
    assertThat(refusal(head("PUT", maps, AS_ADMIN + open)))
        .isEqualTo("405 the server does not allow this method on the requested resource");
    assertThat(refusal(head("POST", maps, AS_ADMIN + "content-length: 3145729\r\n")))
        .isEqualTo("413 Request entity too large: limit is 3145728");
    assertThat(server.get("/metrics").text())
        .contains("apiserver_current_inflight_requests{request_kind=\"mutating\"} 0.0");
  }

  @Test
  void aWriteGoesOnWhenItsBodyIsThere() throws Exception {
    var body = "{\"metadata\":{\"name\":\"late\"}}";
    try (var client = server.connect()) {
      var headers = AS_ADMIN + "content-type: application/json\r\nexpect: 100-continue\r\n";
      client.send(head("POST", maps, headers + "content-length: " + body.length() + "\r\n"));
      assertThat(client.answer().status()).isEqualTo(100);
      assertThat(client.send(body).answer().status()).isEqualTo(201);
    }
  }

  @Test
  void aClientThatLeavesItsBodyIsNotCountedForEver() throws Exception {
    try (var client = server.connect()) {
      client.send(head("POST", maps, AS_ADMIN + "content-length: 100\r\n") + "{");
      Awaitility.await()
          .until(
              () ->
                  server
                      .get("/metrics")
                      .text()
                      .contains(
                          "apiserver_current_inflight_requests{request_kind=\"mutating\"} 1.0"));
    }
    Awaitility.await()
        .until(
            () ->
                server
                    .get("/metrics")
                    .text()
                    .contains(
                        "apiserver_current_inflight_requests{request_kind=\"mutating\"} 0.0"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "impersonate-extra-scopes: a | Extra:map[string][]string{\"scopes\":[]string{\"a\"}}}",
        "Impersonate-Extra-Scopes: a | Extra:map[string][]string{\"scopes\":[]string{\"a\"}}}",
        "impersonate-uid: u | UID:\"u\", Groups:[]string(nil), Extra:map[string][]string(nil)}",
        "impersonate-group: g | Groups:[]string{\"g\"}, Extra:map[string][]string(nil)}",
      })
  void nobodyIsImpersonatedInPart(String header, String described) throws Exception {
    assertThat(refusal(head("GET", maps, AS_ADMIN + header + "\r\n")))
        .startsWith("400 requested &user.DefaultInfo{Name:\"\", ")
        .endsWith(described + " without impersonating a user name");
  }

  @ParameterizedTest
  @CsvSource({
    "HEAD, /api/v1/nothing, 404",
    "HEAD, /apis/nobody/v1/nothing, 404",
    "HEAD, /api/v1/namespaces/default/nothing, 404",
    "HEAD, /api/v1/pods, 405",
    "DELETE, /api/v1/watch/namespaces/default, 405",
    "PUT, /api/v1/watch/pods, 405",
    "POST, /api/v1/watch/namespaces/default/pods, 405",
    "DELETE, /api/v1/watch/namespaces/default/pods/p/status, 404",
    "GET, /api/v1/watch/componentstatuses, 404",
    "GET, /api/v1/namespaces//configmaps, 200",
    "GET, /apis/apps/v1/namespaces//deployments, 200",
    "GET, /api/v1/namespaces//nodes, 404",
    "GET, /api/v1/namespaces//namespaces, 404",
    "GET, /api/v1/namespaces//configmaps//a, 404",
    "GET, /api/v1/namespaces//configmaps/a, 404",
    "DELETE, /api/v1/namespaces//configmaps, 404",
    "GET, /api/v1//namespaces, 404",
  })
  void whatNobodyAnswersForIsNotFoundAndTheRestNotAllowed(String method, String path, int code) {
    assertThat(server.exchange(method, path, "application/json", "").statusCode()).isEqualTo(code);
  }

  @Test
  void aListOfNoNamespaceIsOneOfAll() {
    server.post(maps, "{\"metadata\":{\"name\":\"of-all\"}}");
    assertThat(server.get("/api/v1/namespaces//configmaps").text()).contains("\"of-all\"");
  }

  @Test
  void whatIsBelowWatchIsNeverWritten() {
    server.post(maps, "{\"metadata\":{\"name\":\"kept\"}}");
    var watched = maps.replace("/api/v1/", "/api/v1/watch/") + "/kept";
    assertThat(server.exchange("DELETE", watched, "application/json", "").statusCode())
        .isEqualTo(405);
    assertThat(server.get(maps + "/kept").text()).contains("\"kept\"");
  }

  private static final String UPGRADE =
      String.join(
          "\r\n",
          "connection: Upgrade",
          "upgrade: websocket",
          "sec-websocket-version: 13",
          "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==",
          "");

  /** Anybody may ask for the version; what counts is who is let through to it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "https://evil.example | | 403",
        "https://x.evil.example:443 | | 403",
        "https://x:444 | | 403",
        "null | | 403",
        "%% | | 403",
        "https://X | | 200",
        "https://x:443 | | 200",
        "http://localhost:8001 | | 200",
        "http://127.0.0.1:8001 | | 200",
        "http://[::1]:8001 | | 200",
        "https://evil.example | authorization: Bearer of-the-test | 200",
      })
  void thePagesOfOtherSitesDoNotSpeakForABrowsersUser(String origin, String token, int code)
      throws Exception {
    try (var client = server.connect()) {
      var headers = UPGRADE + "origin: " + origin + "\r\n" + (token == null ? "" : token + "\r\n");
      assertThat(client.send(head("GET", "/version", headers)).answer().status()).isEqualTo(code);
    }
  }

  @ParameterizedTest
  @CsvSource({"9007199254740992", "9223372036854775807", "2147483648"})
  void aWatchMayBeMeantToLastForEver(String seconds) throws Exception {
    try (var client = server.connect()) {
      client.send(head("GET", maps + "?watch=1&timeoutSeconds=" + seconds, AS_ADMIN));
      assertThat(client.answer().status()).isEqualTo(200);
      var name = "of-" + seconds;
      server.post(maps, "{\"metadata\":{\"name\":\"" + name + "\"}}");
      String line;
      do {
        line = client.line();
      } while (!line.contains(name));
      assertThat(line).contains("ADDED");
    }
  }

  @Test
  void aPodMayBeGivenForEverToEnd() {
    var pods = maps.replace("configmaps", "pods");
    server.post(
        pods,
        "{\"metadata\":{\"name\":\"p\"},\"spec\":{\"nodeName\":\"n\",\"containers\":[{\"name\":\"c\","
            + "\"image\":\"i\"}]}}");
    var answer = server.delete(pods + "/p?gracePeriodSeconds=9223372036854775807", "");
    assertThat(answer.code()).isEqualTo(200);
    assertThat(answer.object().object("metadata").string("deletionTimestamp"))
        .isEqualTo("9999-12-31T23:59:59Z");
  }

  @Test
  void aFullStoreTakesWhatLeadsToADelete() {
    var namespace = server.namespace();
    server.post(
        maps,
        "{\"metadata\":{\"name\":\"held\",\"finalizers\":[\"example.com/a\",\"example.com/b\"]}}");
    server.post(maps, "{\"metadata\":{\"name\":\"free\"}}");
    store.full(true);
    try {
      var refused = server.post(maps, "{\"metadata\":{\"name\":\"more\"}}");
      assertThat(refused.code()).isEqualTo(503);
      assertThat(refused.text()).contains("the store is full: only deletes are taken");
      assertThat(server.get(maps + "/free").code()).isEqualTo(200);
      assertThat(server.delete(maps + "/free", "").code()).isEqualTo(200);
      assertThat(server.delete(maps + "/held", "").code()).isEqualTo(200);
      for (var left : List.of("[\"example.com/b\"]", "[]")) {
        var patch = "{\"metadata\":{\"finalizers\":" + left + "}}";
        assertThat(server.patch(maps + "/held", RunningServer.MERGE, patch).code()).isEqualTo(200);
      }
      assertThat(server.get(maps + "/held").code()).isEqualTo(404);
      assertThat(server.delete("/api/v1/namespaces/" + namespace, "").code()).isEqualTo(200);
      var ready = server.get("/readyz");
      assertThat(ready.code()).isEqualTo(500);
      assertThat(ready.text()).contains("[-]storage-writes failed: the disk is full\n");
      assertThat(server.get("/livez").code()).isEqualTo(200);
    } finally {
      store.full(false);
    }
    assertThat(server.get("/readyz").code()).isEqualTo(200);
  }

  @Test
  void errorsEndARequestAndNothingElse() {
    var errors =
        List.of(
            new StackOverflowError(),
            new AssertionError("wrong"),
            new NoClassDefFoundError("gone"),
            new OutOfMemoryError("for a moment"));
    server.post(maps, "{\"metadata\":{\"name\":\"read\"}}");
    for (var error : errors) {
      store.breakNextReadIndex(error);
      assertThat(server.get(maps + "/read").code()).as("%s", error).isEqualTo(500);
      assertThat(server.get(maps + "/read").code()).isEqualTo(200);
      store.breakNextCommit(error);
      var name = error.getClass().getSimpleName().toLowerCase(Locale.ROOT);
      var body = "{\"metadata\":{\"name\":\"" + name + "\"}}";
      assertThat(server.post(maps, body).code()).as("%s", error).isEqualTo(500);
      assertThat(server.post(maps, body).code()).isEqualTo(201);
    }
    assertThat(server.get("/metrics").text())
        .contains("apiserver_current_inflight_requests{request_kind=\"mutating\"} 0.0");
  }
}
