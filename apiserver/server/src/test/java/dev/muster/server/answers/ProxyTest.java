package dev.muster.server.answers;

import static dev.muster.server.answers.ProxiedPod.PROXY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpClient.Version;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that are passed on to pods and nodes. */
class ProxyTest {
  @TempDir private static Path folder;
  private static ProxiedPod pod;
  private static RunningServer server;

  @BeforeAll
  static void start() throws Exception {
    pod = new ProxiedPod(folder);
    server = pod.server();
  }

  @AfterAll
  static void stop() {
    pod.close();
  }

  private static void node(String name, String type, String address, int kubeletPort) {
    server.post("/api/v1/nodes", "{\"metadata\":{\"name\":\"" + name + "\"}}");
    var status =
        """
        {"status":{"addresses":[{"type":"%s","address":"%s"}],
                   "daemonEndpoints":{"kubeletEndpoint":{"Port":%d}}}}
        """
            .formatted(type, address, kubeletPort);
    var answer = server.patch("/api/v1/nodes/" + name + "/status", RunningServer.MERGE, status);
    assertThat(answer.code()).as(answer.text()).isEqualTo(200);
  }

  @Test
  void noPathLeadsToAnotherHost() throws Exception {
    try (var victim = TestBackend.plain(TestBackend.saying("secret"));
        var web = pod.running(TestBackend.saying("hello"))) {
      var evil = "127.0.0.1:" + victim.port();
      for (var rest :
          List.of(
              "/web:80/proxy@" + evil + "/x",
              "@" + evil + "/x",
              "/@" + evil + "/x",
              "//" + evil + "/x",
              "/http://" + evil + "/x",
              "/%40" + evil + "/x",
              "/..%2f..@" + evil + "/x",
              "/web:80%2Fproxy@" + evil)) {
        var answer = server.get(PROXY + rest);
        assertThat(answer.text()).as(rest).doesNotContain("secret");
      }
      assertThat(victim.seen()).isEmpty();
      assertThat(web.seen())
          .isNotEmpty()
          .allSatisfy(request -> assertThat(request.target()).startsWith("/"));
      assertThat(web.seen().getFirst().target()).isEqualTo("/web:80/proxy@" + evil + "/x");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/a?timeout=soon, /a?timeout=soon",
    "/a/b?c=d&e=%2F, /a/b?c=d&e=%2F",
    "/, /",
    "/?x, /?x",
    "/a%2Fb%20c%25d, /a%2Fb%20c%25d",
    "//x, //x",
    "/a/../b, /a/../b",
    "/%0d%0aHost:%20evil, /%0d%0aHost:%20evil",
  })
  void aBackendSeesThePathThatWasSent(String sent, String seen) throws Exception {
    try (var web = pod.running(TestBackend.saying("hello"))) {
      assertThat(server.get(PROXY + sent).text()).isEqualTo("hello");
      assertThat(web.only().target()).isEqualTo(seen);
    }
  }

  @Test
  void theRootOfAPodIsADirectory() throws Exception {
    try (var web = pod.running(TestBackend.saying("hello"))) {
      var answer = server.open(Version.HTTP_1_1, "GET", PROXY + "?a=b").get(30, TimeUnit.SECONDS);
      assertThat(answer.statusCode()).isEqualTo(301);
      assertThat(answer.headers().allValues("location")).containsExactly(PROXY + "/?a=b");
      assertThat(web.seen()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"abc", "99999", "0", "%7C", "80%40127.0.0.1", "8%0D%0A0"})
  void whatIsNoPortIsTheClientsMistake(String port) {
    var answer = server.get("/api/v1/namespaces/default/pods/web:" + port + "/proxy/");
    assertThat(answer.code()).isEqualTo(400);
    assertThat(answer.message()).startsWith("invalid pod request \"web:");
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "169.254.169.254", "::1", "fe80::1"})
  void aPodAtNoAddressForUsersIsNotReached(String ip) throws Exception {
    try (var web = pod.running(TestBackend.saying("hello"))) {
      pod.at(ip);
      var answer = server.get(PROXY + "/");
      assertThat(answer.code()).isEqualTo(400);
      assertThat(answer.message()).isEqualTo("address not allowed");
      assertThat(web.seen()).isEmpty();
    } finally {
      pod.at(ProxiedPod.IP);
    }
  }

  @Test
  void aNameIsLookedUpOnceAndConnectedToWhatItStoodForThen() throws Exception {
    pod.network().named("rebind.example", List.of("203.0.113.9"), List.of("127.0.0.1"));
    try (var metrics = TestBackend.plain(TestBackend.saying("figures"))) {
      pod.network().at("203.0.113.9", 9100, metrics);
      node("rebind", "Hostname", "rebind.example", 10250);
      assertThat(server.get("/api/v1/nodes/rebind:9100/proxy/metrics").text()).isEqualTo("figures");
      assertThat(pod.network().asked()).containsOnlyOnce("rebind.example");
      assertThat(server.get("/api/v1/nodes/rebind:9100/proxy/metrics").message())
          .isEqualTo("address not allowed");
      assertThat(metrics.seen()).hasSize(1);
    }
  }

  @Test
  void oneForbiddenAddressOfANameForbidsIt() {
    var both = List.of("203.0.113.9", "169.254.169.254");
    pod.network().named("both.example", both, both);
    node("both", "Hostname", "both.example", 10250);
    assertThat(server.get("/api/v1/nodes/both/proxy/").message()).isEqualTo("address not allowed");
    assertThat(pod.network().dialled())
        .doesNotContain("203.0.113.9:10250", "169.254.169.254:10250");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"user@10.0.0.1", "10.0.0.1/x?y", "a b", "evil.example#", "nobody.example"})
  void whatIsNoNameOfAHostIsNotLookedForElsewhere(String address) {
    node("odd", "Hostname", address, 10250);
    var answer = server.get("/api/v1/nodes/odd/proxy/");
    assertThat(answer.code()).isEqualTo(400);
    assertThat(answer.message()).isEqualTo("lookup " + address + ": no such host");
  }

  @Test
  void aBackendIsNotToldWhoTheClientIs() throws Exception {
    var token =
        Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString("t0ken".getBytes(StandardCharsets.UTF_8));
    try (var web = pod.running(TestBackend.saying("hello"))) {
      try (var socket = server.socket()) {
        socket
            .getOutputStream()
            .write(
                ("GET "
                        + PROXY
                        + "/x HTTP/1.1\r\nhost: api.example:6443\r\n"
                        + RunningServer.authorization()
                        + "\r\nsec-websocket-protocol: base64url.bearer.authorization.k8s.io."
                        + token
                        + ", v4.channel.k8s.io\r\nx-remote-user: root\r\n"
                        + "X-Remote-Extra-Scopes: all\r\nproxy-authorization: Basic eA==\r\n"
                        + "connection: x-hop, close\r\nx-hop: 1\r\nte: trailers\r\n"
                        + "upgrade: h2c\r\nx-forwarded-for: 198.51.100.1\r\n"
                        + "x-forwarded-uri: /forged\r\naccept: */*\r\ncookie: a=b\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
        assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
            .startsWith("HTTP/1.1 200")
            .contains("hello");
      }
      var seen = web.only();
      assertThat(seen.headers())
          .containsExactlyInAnyOrder(
              "host: api.example:6443",
              "sec-websocket-protocol: v4.channel.k8s.io",
              "x-forwarded-for: 198.51.100.1, 127.0.0.1",
              "x-forwarded-uri: " + PROXY + "/x",
              "accept: */*",
              "cookie: a=b",
              "connection: close");
      assertThat(seen.toString()).doesNotContain(token, "t0ken", "of-the-test");
    }
  }

  @Test
  void impersonationIsNotPassedOn() throws Exception {
    try (var web = pod.running(TestBackend.saying("hello"))) {
      var answer =
          server
              .open(
                  Version.HTTP_2,
                  "GET",
                  PROXY + "/",
                  "Impersonate-User",
                  "jane",
                  "Impersonate-Group",
                  "system:masters")
              .get(30, TimeUnit.SECONDS);
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(web.only().headers()).noneMatch(header -> header.startsWith("impersonate-"));
    }
  }

  @Test
  void bodiesAndMethodsArePassedOn() throws Exception {
    try (var web = pod.running(TestBackend.saying("hello"))) {
      var answer =
          server.send(
              "PUT", PROXY + "/x", "text/x", "*/*", "what".getBytes(StandardCharsets.UTF_8));
      assertThat(answer.text()).isEqualTo("hello");
      assertThat(web.only().line()).isEqualTo("PUT /x HTTP/1.1");
      assertThat(web.only().body()).isEqualTo("what");
      assertThat(web.only().header("content-length")).containsExactly("4");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"HEAD", "OPTIONS", "DELETE"})
  void everyMethodOfAProxyIsPassedOn(String method) throws Exception {
    try (var web = pod.running(TestBackend.saying("hello"))) {
      var answer = server.open(Version.HTTP_1_1, method, PROXY + "/x").get(30, TimeUnit.SECONDS);
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(web.only().line()).isEqualTo(method + " /x HTTP/1.1");
    }
  }

  @Test
  void redirectsAreNotFollowedAndLeadBackThroughTheProxy() throws Exception {
    try (var victim = TestBackend.plain(TestBackend.saying("secret"));
        var web =
            pod.running(
                (request, connection) ->
                    connection.send(
                        "HTTP/1.1 302 Found\r\ncontent-length: 0\r\nlocation: "
                            + (request.target().equals("/away")
                                ? "http://127.0.0.1:" + victim.port() + "/x"
                                : "/login?next=%2F")
                            + "\r\naccess-control-allow-origin: *\r\n\r\n"))) {
      var away = server.open(Version.HTTP_2, "GET", PROXY + "/away").get(30, TimeUnit.SECONDS);
      assertThat(away.statusCode()).isEqualTo(302);
      assertThat(away.headers().firstValue("location"))
          .contains("http://127.0.0.1:" + victim.port() + "/x");
      var here = server.open(Version.HTTP_2, "GET", PROXY + "/").get(30, TimeUnit.SECONDS);
      assertThat(here.headers().firstValue("location")).contains(PROXY + "/login?next=%2F");
      assertThat(here.headers().firstValue("access-control-allow-origin")).isEmpty();
      assertThat(victim.seen()).isEmpty();
      assertThat(web.seen()).hasSize(2);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "HTTP/1.1 101 Switching Protocols\\nupgrade: x\\nconnection: upgrade\\n\\nraw | invalid"
            + " upgrade response: status code 101",
        "nonsense\\n\\n | malformed HTTP response",
        "'' | EOF",
        "HTTP/1.1 200 OK\\ncontent-length: 1\\ncontent-length: 2\\n\\nab | malformed HTTP response",
      })
  void noBackendGetsTheRawConnection(String sent, String problem) throws Exception {
    var raw = sent.replace("\\n", "\r\n");
    try (var web = pod.running((request, connection) -> connection.send(raw))) {
      var answer = server.get(PROXY + "/");
      assertThat(answer.code()).as(answer.text()).isEqualTo(503);
      assertThat(answer.message()).isEqualTo("error trying to reach service: " + problem);
      await().until(() -> web.open() == 0);
    }
  }

  @Test
  void anInterimAnswerIsNotTheAnswer() throws Exception {
    try (var web =
        pod.running(
            (request, connection) ->
                connection.send(
                    "HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n"
                        + "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"))) {
      assertThat(server.get(PROXY + "/").text()).isEqualTo("ok");
      assertThat(web.seen()).hasSize(1);
    }
  }

  @Test
  void anAnswerThatEndsEarlyIsCutOff() throws Exception {
    try (var web =
        pod.running(
            (request, connection) ->
                connection.send("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf"))) {
      assertThatThrownBy(() -> server.get(PROXY + "/")).isInstanceOf(RuntimeException.class);
      await().until(() -> web.open() == 0);
    }
  }

  @Test
  void longAnswersArriveWhole() throws Exception {
    var line = "0123456789".repeat(100);
    try (var web =
        pod.running(
            (request, connection) -> {
              connection.send("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
              for (int i = 0; i < 2000; i++) {
                connection.send(Integer.toHexString(line.length()) + "\r\n" + line + "\r\n");
              }
              connection.send("0\r\n\r\n");
            })) {
      assertThat(server.get(PROXY + "/").body()).hasSize(2_000_000);
      assertThat(web.seen()).hasSize(1);
    }
  }
}
