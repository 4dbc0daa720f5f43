package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.muster.access.pki.Authority;
import dev.muster.access.pki.CertificateNames;
import dev.muster.access.pki.Identity;
import dev.muster.access.pki.Pem;
import dev.muster.model.json.JsonObject;
import dev.muster.server.http.RawHttp1;
import dev.muster.server.options.AggregatorOptions;
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
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** APIServices with a backend: requests go there, and everybody can see whether it is there. */
class AggregationTest {
  private static final Duration DAY = Duration.ofDays(1);
  private static final Authority AUTHORITY = Authority.create("ext-ca", Instant.now(), DAY);
  private static final Authority FRONT = Authority.create("front-ca", Instant.now(), DAY);
  private static final String SERVICES = "/apis/apiregistration.k8s.io/v1/apiservices";
  private static final String GROUP = "main.example.com";
  private static final String STARS = "/apis/" + GROUP + "/v1/stars/";
  private static final String AGGREGATED =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
  private static final TestNetwork NETWORK = new TestNetwork();
  private static final AtomicInteger ADDRESSES = new AtomicInteger();

  @TempDir private static Path folder;
  private static RunningServer server;
  private static ExtensionServer extension;

  @BeforeAll
  static void start() throws Exception {
    var shown = FRONT.client("front-proxy", List.of(), Instant.now(), DAY);
    var files = show(shown);
    server =
        RunningServer.start(
            folder, options -> options.withApi(options.api().withAggregator(files)), NETWORK);
    extension = ExtensionServer.start(GROUP, serving("main"));
    register("main", GROUP, extension.backend(), bundle(AUTHORITY));
    awaitCondition(GROUP, "Passed");
  }

  @AfterAll
  static void stop() {
    server.close();
    extension.close();
  }

  private static AggregatorOptions show(Identity identity) throws Exception {
    return AggregatorOptions.defaults()
        .showing(
            Files.writeString(folder.resolve("proxy.crt"), Pem.of(identity.chain())),
            Files.writeString(folder.resolve("proxy.key"), Pem.of(identity.key())));
  }

  private static Identity serving(String service) {
    return AUTHORITY.server(
        "ext",
        CertificateNames.of(List.of(service + ".default.svc"), List.of()),
        Instant.now(),
        DAY);
  }

  private static String bundle(Authority authority) {
    var pem = Pem.of(authority.certificate());
    return "\"caBundle\":\""
        + Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.UTF_8))
        + "\"";
  }

  private static void service(String name) {
    created(
        "/api/v1/namespaces/default/services",
        """
        {"metadata":{"name":"%s"},"spec":{"ports":[{"name":"https","port":443}]}}
        """
            .formatted(name));
  }

  /** A service with one endpoint, and an APIService for it. */
  private static void register(
      String name, String group, @Nullable TestBackend backend, String trust) {
    service(name);
    var address = "203.0.113." + ADDRESSES.incrementAndGet();
    if (backend != null) {
      NETWORK.at(address, 8443, backend);
    }
    created(
        "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices",
        """
        {"metadata":{"name":"%1$s","labels":{"kubernetes.io/service-name":"%1$s"}},
         "addressType":"IPv4","endpoints":[{"addresses":["%2$s"]}],
         "ports":[{"name":"https","port":8443}]}
        """
            .formatted(name, address));
    apiService(name, group, "v1", 10, trust);
  }

  private static void apiService(
      String service, String group, String version, int priority, String trust) {
    var made =
        created(
            SERVICES,
            """
            {"metadata":{"name":"%2$s.%1$s"},
             "spec":{"group":"%1$s","version":"%2$s","groupPriorityMinimum":100,
                     "versionPriority":%3$d,
                     "service":{"namespace":"default","name":"%4$s"},%5$s}}
            """
                .formatted(group, version, priority, service, trust));
    assertThat(made.warnings()).isEmpty();
  }

  private static RunningServer.Answer created(String path, String body) {
    var answer = server.post(path, body);
    assertThat(answer.code()).as(answer.text()).isEqualTo(201);
    return answer;
  }

  private static JsonObject condition(String group) {
    var conditions =
        server.get(SERVICES + "/v1." + group).object().object("status").array("conditions");
    return conditions.isEmpty() ? JsonObject.EMPTY : conditions.object(0);
  }

  private static JsonObject awaitCondition(String group, String reason) {
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> condition(group).string("reason"), reason::equals);
    return condition(group);
  }

  private static JsonObject item(JsonObject document, String list, String... path) {
    return document.array(list).objects().stream()
        .filter(
            item ->
                (path.length == 1 ? item.string(path[0]) : item.object(path[0]).string(path[1]))
                    .equals(GROUP))
        .findFirst()
        .orElse(JsonObject.EMPTY);
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
  void discoveryNamesWhatIsBehind() {
    assertThat(
            server
                .get("/apis/" + GROUP + "/v1")
                .object()
                .array("resources")
                .object(0)
                .string("name"))
        .isEqualTo("stars");
    assertThat(item(server.get("/apis").object(), "groups", "name").object("preferredVersion"))
        .isEqualTo(JsonObject.of("groupVersion", GROUP + "/v1", "version", "v1"));
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(
            () -> {
              var whole = server.send("GET", "/apis", "", AGGREGATED, new byte[0]).object();
              var version = item(whole, "items", "metadata", "name").array("versions").object(0);
              assertThat(version.string("freshness")).isEqualTo("Current");
              assertThat(version.array("resources").object(0).string("resource"))
                  .isEqualTo("stars");
            });
  }

  @Test
  void ofSeveralVersionsTheHighestPriorityIsPreferred() {
    apiService("main", GROUP, "v9alpha1", 50, bundle(AUTHORITY));
    try {
      var group = server.get("/apis/" + GROUP).object();
      assertThat(group.object("preferredVersion").string("version")).isEqualTo("v9alpha1");
      assertThat(group.array("versions").objects()).hasSize(2);
    } finally {
      server.delete(SERVICES + "/v9alpha1." + GROUP, "");
    }
    assertThat(server.get("/apis/" + GROUP).object().array("versions").objects()).hasSize(1);
  }

  @Test
  void documentsOfTheServerBehindAreListedMergedAndPassedOn() {
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(
            () -> {
              var paths = server.get("/openapi/v3").object().object("paths");
              assertThat(paths.object("apis/" + GROUP + "/v1").string("serverRelativeURL"))
                  .isEqualTo("/openapi/v3/apis/" + GROUP + "/v1?hash=A");
              assertThat(paths.object("apis/apps/v1").string("serverRelativeURL"))
                  .doesNotContain("EVIL");
            });
    assertThat(server.get("/openapi/v3/apis/" + GROUP + "/v1?hash=A").object().string("asked"))
        .isEqualTo("/openapi/v3/apis/" + GROUP + "/v1?hash=A");
    var merged = server.get("/openapi/v2").object();
    assertThat(merged.object("paths").keys())
        .contains("/apis/" + GROUP + "/v1/stars", "/apis/apps/v1/")
        .doesNotContain("/apis/apps/v1/evil");
    assertThat(merged.object("definitions").keys()).contains("Star").doesNotContain("Other");
    assertThat(
            server
                .send(
                    "GET",
                    "/openapi/v2",
                    "",
                    "application/com.github.proto-openapi.spec.v2.v1.0+protobuf",
                    new byte[0])
                .text())
        .contains("/apis/" + GROUP + "/v1/stars");
  }

  @Test
  void theConditionSaysWhatIsMissing() throws Exception {
    var group = "missing.example.com";
    apiService("missing", group, "v1", 10, bundle(AUTHORITY));
    assertThat(awaitCondition(group, "ServiceNotFound").string("message"))
        .isEqualTo("service/missing in \"default\" is not present");
    var answer = server.get("/apis/" + group + "/v1/stars");
    assertThat(answer.code()).isEqualTo(503);
    assertThat(answer.text()).isEqualTo("service unavailable\n");
    assertThat(server.get("/apis/" + group).object().string("name")).isEqualTo(group);
    assertThat(server.metric("aggregator_unavailable_apiservice{name=\"v1." + group + "\"}"))
        .isEqualTo(1);
    service("missing");
    assertThat(awaitCondition(group, "EndpointsNotFound").string("message"))
        .isEqualTo("cannot find endpointslices for service/missing in \"default\"");
    created(
        "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices",
        """
        {"metadata":{"name":"missing","labels":{"kubernetes.io/service-name":"missing"}},
         "addressType":"IPv4","ports":[{"name":"https","port":8443}],
         "endpoints":[{"addresses":["203.0.113.200"],"conditions":{"ready":false}}]}
        """);
    assertThat(awaitCondition(group, "MissingEndpoints").string("message"))
        .isEqualTo(
            "endpointslices for service/missing in \"default\" have no addresses with port name"
                + " \"https\"");
    try (var late = ExtensionServer.start(group, serving("missing"))) {
      NETWORK.at("203.0.113.200", 8443, late.backend());
      server.patch(
          "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/missing",
          RunningServer.MERGE,
          "{\"endpoints\":[{\"addresses\":[\"203.0.113.200\"],\"conditions\":{\"ready\":true}}]}");
      assertThat(awaitCondition(group, "Passed").string("message")).isEqualTo("all checks passed");
      assertThat(server.get("/apis/" + group + "/v1/stars/x").code()).isEqualTo(200);
      server.delete("/api/v1/namespaces/default/services/missing", "");
      awaitCondition(group, "ServiceNotFound");
    }
    assertThat(
            server.metric(
                "aggregator_unavailable_apiservice_total{name=\"v1."
                    + group
                    + "\",reason=\"ServiceNotFound\"}"))
        .isEqualTo(1);
  }

  @Test
  void aPortThatTheServiceDoesNotHaveIsNamed() {
    service("ported");
    created(
        SERVICES,
        """
        {"metadata":{"name":"v1.ported.example.com"},
         "spec":{"group":"ported.example.com","version":"v1","groupPriorityMinimum":100,
                 "versionPriority":10,"insecureSkipTLSVerify":true,
                 "service":{"namespace":"default","name":"ported","port":444}}}
        """);
    assertThat(awaitCondition("ported.example.com", "ServicePortError").string("message"))
        .isEqualTo("service/ported in \"default\" is not listening on port 444");
  }

  @Test
  void aServerWhoseCertificateIsNotBelievedIsToldNothing() throws Exception {
    var other = Authority.create("other", Instant.now(), DAY);
    var expired =
        AUTHORITY.server(
            "ext",
            CertificateNames.of(List.of("expired.default.svc"), List.of()),
            Instant.now().minus(Duration.ofDays(2)),
            DAY);
    try (var wrong = ExtensionServer.start("wrong.example.com", serving("wrong"));
        var named = ExtensionServer.start("named.example.com", serving("somebody-else"));
        var late = ExtensionServer.start("expired.example.com", expired)) {
      register("wrong", "wrong.example.com", wrong.backend(), bundle(other));
      register("named", "named.example.com", named.backend(), bundle(AUTHORITY));
      register("expired", "expired.example.com", late.backend(), bundle(AUTHORITY));
      assertThat(awaitCondition("wrong.example.com", "FailedDiscoveryCheck").string("message"))
          .contains("failing or missing response from https://", "signed by unknown authority");
      assertThat(awaitCondition("named.example.com", "FailedDiscoveryCheck").string("message"))
          .contains("x509");
      assertThat(awaitCondition("expired.example.com", "FailedDiscoveryCheck").string("message"))
          .contains("certificate has expired or is not yet valid");
      assertThat(List.of(wrong, named, late))
          .allSatisfy(each -> assertThat(each.backend().seen()).isEmpty());
    }
  }

  @Test
  void whoeverAnswersIsBelievedWhenThatIsWanted() throws Exception {
    try (var any = ExtensionServer.start("any.example.com", serving("somebody-else"))) {
      register("any", "any.example.com", any.backend(), "\"insecureSkipTLSVerify\":true");
      awaitCondition("any.example.com", "Passed");
      assertThat(server.get("/apis/any.example.com/v1/stars/x").code()).isEqualTo(200);
    }
  }

  @Test
  void aDefinitionDoesNotTakeAGroupFromAServerThatHasIt() throws Exception {
    var group = "taken.example.com";
    try (var first = ExtensionServer.start(group, serving("taken"))) {
      register("taken", group, first.backend(), bundle(AUTHORITY));
      awaitCondition(group, "Passed");
      created(
          "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
          """
          {"metadata":{"name":"stars.%1$s"},
           "spec":{"group":"%1$s","scope":"Cluster","names":{"plural":"stars","kind":"Star"},
             "versions":[{"name":"v1","served":true,"storage":true,
               "schema":{"openAPIV3Schema":{"type":"object"}}}]}}
          """
              .formatted(group));
      assertThat(server.get("/apis/" + group + "/v1/stars/x").object().has("line")).isTrue();
      server.delete(SERVICES + "/v1." + group, "");
      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> server.get("/apis/" + group + "/v1/stars/x").code() == 404);
    }
  }

  @Test
  void whatIsDefinedHereCannotBeSentElsewhereInItsOwnAPIService() {
    var group = "kept.example.com";
    created(
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
        """
        {"metadata":{"name":"stars.%1$s"},
         "spec":{"group":"%1$s","scope":"Cluster","names":{"plural":"stars","kind":"Star"},
           "versions":[{"name":"v1","served":true,"storage":true,
             "schema":{"openAPIV3Schema":{"type":"object"}}}]}}
        """
            .formatted(group));
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> server.get(SERVICES + "/v1." + group).code() == 200);
    server.patch(
        SERVICES + "/v1." + group,
        RunningServer.MERGE,
        "{\"spec\":{\"insecureSkipTLSVerify\":true,"
            + "\"service\":{\"namespace\":\"default\",\"name\":\"main\"}}}");
    await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () ->
                server.get(SERVICES + "/v1." + group).code() == 200
                    && !server
                        .get(SERVICES + "/v1." + group)
                        .object()
                        .object("spec")
                        .has("service"));
    assertThat(server.get("/apis/" + group + "/v1/stars").code()).isEqualTo(200);
  }

  @Test
  void aNewCertificateIsShownAfterItsFilesChange() throws Exception {
    try {
      show(FRONT.client("renewed", List.of(), Instant.now(), DAY));
      Files.setLastModifiedTime(
          folder.resolve("proxy.crt"), FileTime.from(Instant.now().plusSeconds(5)));
      assertThat(server.get(STARS + "sun").object().string("client")).isEqualTo("CN=renewed");
    } finally {
      show(FRONT.client("front-proxy", List.of(), Instant.now(), DAY));
      Files.setLastModifiedTime(
          folder.resolve("proxy.crt"), FileTime.from(Instant.now().plusSeconds(10)));
    }
  }
}
