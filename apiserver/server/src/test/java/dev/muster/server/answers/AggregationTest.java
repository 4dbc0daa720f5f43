package dev.muster.server.answers;

import static dev.muster.server.answers.AggregatingServer.GROUP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.muster.http.RawHttp1;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests for an APIService with a backend go to the server behind it. */
class AggregationTest {
  private static final String STARS = "/apis/" + GROUP + "/v1/stars/";

  @TempDir private static Path folder;
  private static AggregatingServer cluster;
  private static RunningServer server;
  private static ExtensionServer extension;

  @BeforeAll
  static void start() throws Exception {
    cluster = AggregatingServer.start(folder);
    server = cluster.server();
    extension = cluster.extension();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void whoAsksIsToldInHeadersOverACertificateThatIsBelieved() {
    var answer = server.get(STARS + "sun?b=x%20y&a=1");
    assertThat(answer.code()).as(answer.text()).isEqualTo(200);
    var told = answer.object();
    assertThat(told.string("client")).isEqualTo("CN=front-proxy");
    assertThat(told.string("line")).isEqualTo("GET " + STARS + "sun?a=1&b=x+y HTTP/1.1");
    assertThat(told.array("headers").strings())
        .contains(
            "x-remote-user: admin",
            "x-remote-uid: 1",
            "x-remote-group: system:masters",
            "x-remote-group: system:authenticated")
        .noneMatch(header -> header.startsWith("authorization:"));
    assertThat(answer.warnings()).containsExactly("299 - \"from behind\"");
  }

  @Test
  void nobodyPassesForSomebodyElse() throws Exception {
    var response =
        server
            .open(
                Version.HTTP_2,
                "GET",
                STARS + "sun",
                "x-remote-user",
                "root",
                "x-remote-group",
                "evil",
                "x-remote-extra-scopes",
                "all",
                "impersonate-user",
                "jane",
                "impersonate-group",
                "system:masters",
                "impersonate-extra-a%2fb",
                "c")
            .get(20, TimeUnit.SECONDS);
    var told = new String(response.body().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(told)
        .contains("x-remote-user: jane", "x-remote-extra-a%2fb: c")
        .doesNotContain("root", "evil", "scopes", "impersonate");
  }

  @Test
  void whoMayNotIsNotPassedOn() {
    int before = extension.seen().size();
    assertThat(server.anonymously(STARS + "sun").code()).isEqualTo(403);
    assertThat(extension.seen()).hasSize(before);
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /apis/main.example.com/v1/anything/at/all",
    "DELETE, /apis/main.example.com/v1/namespaces/default/things/one",
    "POST, /apis/main.example.com/v1/stars",
    "PUT, /apis/main.example.com/v1/stars/x",
    "PATCH, /apis/main.example.com/v1/stars/x",
    "OPTIONS, /apis/main.example.com/v1/stars/x",
    "POST, /apis/main.example.com/v1/watch",
  })
  void everyVerbAndPathIsPassedOn(String method, String path) {
    var answer =
        server.send(
            method, path, "application/json", "*/*", "{\"a\":1}".getBytes(StandardCharsets.UTF_8));
    assertThat(answer.code()).as(answer.text()).isEqualTo(200);
    assertThat(answer.object().string("line")).isEqualTo(method + " " + path + " HTTP/1.1");
    assertThat(answer.object().string("sent")).isEqualTo("{\"a\":1}");
  }

  @Test
  void anEncodedSlashIsTheSlashThatWasAuthorized() {
    assertThat(server.get("/apis/main.example.com/v1/stars%2Fx%20y").object().string("line"))
        .isEqualTo("GET /apis/main.example.com/v1/stars/x%20y HTTP/1.1");
  }

  @ParameterizedTest
  @CsvSource({
    "garbage, 503, malformed HTTP response",
    "closing, 503, error trying to reach service: EOF",
    "moved, 502, 'the backend attempted to redirect this request, which is not permitted'",
  })
  void aServerThatMisbehavesIsToldOf(String name, int code, String text) {
    var answer = server.get(STARS + name);
    assertThat(answer.code()).isEqualTo(code);
    assertThat(answer.text()).contains(text).doesNotContain("evil.example");
    assertThat(server.get("/api/v1/namespaces/default").code()).isEqualTo(200);
  }

  @Test
  void anAnswerThatEndsEarlyIsCutOff() throws Exception {
    var response = server.open(Version.HTTP_1_1, "GET", STARS + "cut").get(20, TimeUnit.SECONDS);
    assertThatThrownBy(() -> response.body().readAllBytes()).isInstanceOf(IOException.class);
  }

  @Test
  void nobodyWaitsLongerForAServerThatHangsThanTheyWant() {
    var answer = server.get(STARS + "hanging?timeout=1s");
    assertThat(answer.code()).as(answer.text()).isEqualTo(504);
    assertThat(answer.object().string("reason")).isEqualTo("Timeout");
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void aWatchComesAsItIsSentAndEndsWithItsClient(Version version) throws Exception {
    int open = extension.backend().open();
    var response =
        server.open(version, "GET", STARS + "endless?watch=true").get(20, TimeUnit.SECONDS);
    assertThat(response.body().readNBytes(10)).hasSize(10);
    assertThat(extension.backend().open()).isGreaterThan(open);
    response.body().close();
    await().atMost(Duration.ofSeconds(20)).until(() -> extension.backend().open() <= open);
  }

  @Test
  void whatIsSentSoFarIsSeenAtOnce() throws Exception {
    var response =
        server
            .open(Version.HTTP_2, "GET", "/apis/main.example.com/v1/watched?watch=1")
            .get(20, TimeUnit.SECONDS);
    assertThat(response.body().readNBytes(2)).asString().isEqualTo("1\n");
    extension.release();
    assertThat(response.body().readAllBytes()).asString().isEqualTo("2\n");
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void aBodyOfAnySizePassesThrough(Version version) throws Exception {
    var bytes = new byte[20 * 1024 * 1024];
    Arrays.fill(bytes, (byte) 'a');
    for (var publisher :
        List.of(
            HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(bytes)),
            HttpRequest.BodyPublishers.ofByteArray(bytes))) {
      var response =
          server.send(
              HttpRequest.newBuilder(
                      URI.create("https://127.0.0.1:" + server.port() + STARS + "uploaded"))
                  .version(version)
                  .POST(publisher));
      assertThat(response.text()).contains("\"bytes\":" + bytes.length);
    }
  }

  @Test
  void anotherProtocolPassesThroughOnceTheServerAgrees() throws Exception {
    try (var raw = upgraded("echo")) {
      var answer = raw.answer();
      assertThat(answer.status()).isEqualTo(101);
      assertThat(answer.header("upgrade")).isEqualTo("twice");
      assertThat(answer.header("x-told")).isEqualTo("yes");
      assertThat(raw.line()).isEqualTo("hello");
      assertThat(raw.send("ab\n").line()).isEqualTo("aabb");
    }
    var asked =
        extension.seen().stream().filter(request -> request.target().contains("echo")).toList();
    assertThat(asked.getLast().headers())
        .contains("connection: Upgrade", "upgrade: twice", "x-remote-user: admin")
        .noneMatch(header -> header.startsWith("authorization"));
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertThat(extension.backend().open()).isZero());
  }

  @ParameterizedTest
  @CsvSource({"refusing, 403", "ignoring, 503"})
  void whoDoesNotAgreeGetsNothingMoreOfTheClient(String name, int code) throws Exception {
    try (var raw = upgraded(name)) {
      assertThat(raw.answer().status()).isEqualTo(code);
      raw.send("GET " + STARS + "smuggled HTTP/1.1\r\nhost: x\r\n\r\n");
    }
    assertThat(extension.seen()).noneMatch(request -> request.target().contains("smuggled"));
  }

  private static RawHttp1 upgraded(String name) throws Exception {
    return server
        .connect()
        .send(
            "GET "
                + STARS
                + name
                + " HTTP/1.1\r\nhost: x\r\n"
                + RunningServer.authorization()
                + "\r\nconnection: Upgrade\r\nupgrade: twice\r\n\r\n");
  }

  @Test
  void aNewCertificateIsShownAfterItsFilesChange() throws Exception {
    try {
      cluster.show("renewed");
      Files.setLastModifiedTime(
          folder.resolve("proxy.crt"), FileTime.from(Instant.now().plusSeconds(5)));
      assertThat(server.get(STARS + "sun").object().string("client")).isEqualTo("CN=renewed");
    } finally {
      cluster.show("front-proxy");
      Files.setLastModifiedTime(
          folder.resolve("proxy.crt"), FileTime.from(Instant.now().plusSeconds(10)));
    }
  }
}
