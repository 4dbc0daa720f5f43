package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.model.json.JsonObject;
import dev.muster.pki.Authority;
import dev.muster.pki.Pem;
import dev.muster.server.options.ApiServerOptions;
import dev.muster.server.options.AuthenticationOptions;
import dev.muster.server.options.authentication.RequestHeaderOptions;
import dev.muster.store.MemoryStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a cluster has from its first start on, and what a start leaves as it is. */
class FreshClusterTest {
  private static final String CONFIG_MAPS = "/api/v1/namespaces/kube-system/configmaps";
  private static final String TRACKING =
      CONFIG_MAPS + "/kube-apiserver-legacy-service-account-token-tracking";
  private static final String TRUST = CONFIG_MAPS + "/extension-apiserver-authentication";

  @TempDir private Path folder;
  private final MemoryStore store = new MemoryStore();

  @Test
  void hasWhatKubeApiServerWritesAtItsFirstStartAndNothingElse() throws Exception {
    var expected = new TreeMap<String, Set<String>>();
    for (var line : lines()) {
      var words = line.split(" ");
      expected.computeIfAbsent(words[0], _ -> new TreeSet<>()).add(words[1]);
    }
    var authority = authority("clients", Duration.ofDays(1));
    try (var server = start(file("ca.crt", authority), RequestHeaderOptions.defaults())) {
      await().until(() -> server.get(TRUST).code() == 200);
      for (var path : listed(server)) {
        if (path.equals("/apis/apiregistration.k8s.io/v1/apiservices")) {
          continue;
        }
        assertThat(names(server, path)).as(path).isEqualTo(expected.getOrDefault(path, Set.of()));
      }
      assertThat(listed(server)).containsAll(expected.keySet());
    }
  }

  @Test
  void saysSinceWhenLegacyTokensAreTracked() throws Exception {
    var before = LocalDate.now(ZoneOffset.UTC);
    try (var server = start()) {
      await().until(() -> server.get(TRACKING).code() == 200);
      var made = server.get(TRACKING).object();
      var since = LocalDate.parse(made.object("data").string("since"));
      assertThat(since).isBetween(before, LocalDate.now(ZoneOffset.UTC));
      assertThat(made.object("data").size()).isEqualTo(1);
      assertThat(made.object("metadata").object("labels").isEmpty()).isTrue();
      server.patch(TRACKING, RunningServer.MERGE, "{\"data\":{\"since\":\"2001-02-03\"}}");
    }
    var kept = restarted(TRACKING);
    assertThat(kept.object("data").strings()).isEqualTo(Map.of("since", "2001-02-03"));
  }

  @Test
  void aDateThatIsNoneIsPutRightAndTheRestLeft() throws Exception {
    try (var server = start()) {
      await().until(() -> server.get(TRACKING).code() == 200);
      server.patch(
          TRACKING, RunningServer.MERGE, "{\"data\":{\"since\":\"yesterday\",\"mine\":\"x\"}}");
    }
    try (var server = start()) {
      await()
          .until(
              () ->
                  !server
                      .get(TRACKING)
                      .object()
                      .object("data")
                      .string("since")
                      .equals("yesterday"));
      var data = server.get(TRACKING).object().object("data").strings();
      assertThat(data).containsEntry("mine", "x");
      assertThat(LocalDate.parse(Objects.requireNonNull(data.get("since")))).isNotNull();
    }
  }

  @Test
  void tellsServersBehindItWhomToBelieve() throws Exception {
    var clients = authority("clients", Duration.ofDays(1));
    var frontProxy = authority("front-proxy", Duration.ofDays(1));
    var headers =
        new RequestHeaderOptions(
            file("front-proxy.crt", frontProxy),
            List.of("front-proxy-client"),
            List.of("X-Remote-User"),
            List.of(),
            List.of("X-Remote-Group"),
            List.of("X-Remote-Extra-"));
    var told =
        Map.of(
            "client-ca-file",
            Pem.of(clients),
            "requestheader-client-ca-file",
            Pem.of(frontProxy),
            "requestheader-allowed-names",
            "[\"front-proxy-client\"]",
            "requestheader-username-headers",
            "[\"X-Remote-User\"]",
            "requestheader-group-headers",
            "[\"X-Remote-Group\"]",
            "requestheader-extra-headers-prefix",
            "[\"X-Remote-Extra-\"]");
    var file = file("ca.crt", clients);
    try (var server = start(file, headers)) {
      await().until(() -> server.get(TRUST).code() == 200);
      assertThat(trust(server)).isEqualTo(told);
      server.delete(TRUST, "");
      await().until(() -> server.get(TRUST).code() == 200);
      assertThat(trust(server)).isEqualTo(told);
      server.patch(TRUST, RunningServer.MERGE, "{\"data\":{\"client-ca-file\":null}}");
      await().until(() -> trust(server).containsKey("client-ca-file"));
      assertThat(trust(server)).isEqualTo(told);
      var newer = authority("newer", Duration.ofDays(1));
      Files.writeString(file, Pem.of(newer));
      await()
          .atMost(Duration.ofSeconds(40))
          .until(
              () ->
                  trust(server)
                      .getOrDefault("client-ca-file", "")
                      .equals(Pem.of(clients) + Pem.of(newer)));
    }
  }

  @Test
  void addsToWhatOtherServersSaidAndDropsWhatHasExpired() throws Exception {
    var old = authority("old", Duration.ofDays(-1));
    var others = authority("others", Duration.ofDays(1));
    var own = authority("own", Duration.ofDays(1));
    try (var server = start()) {
      assertThat(server.get(TRUST).code()).isEqualTo(404);
      var body =
          JsonObject.of(
              "metadata",
              JsonObject.of("name", "extension-apiserver-authentication"),
              "data",
              JsonObject.of("client-ca-file", Pem.of(old) + Pem.of(others)));
      assertThat(server.post(CONFIG_MAPS, body.toString()).code()).isEqualTo(201);
    }
    try (var server = start(file("ca.crt", own), RequestHeaderOptions.defaults())) {
      await()
          .until(
              () -> trust(server).equals(Map.of("client-ca-file", Pem.of(others) + Pem.of(own))));
    }
  }

  private static Map<String, String> trust(RunningServer server) {
    return server.get(TRUST).object().object("data").strings();
  }

  private JsonObject restarted(String path) throws Exception {
    try (var server = start()) {
      return server.get(path).object();
    }
  }

  private RunningServer start() throws Exception {
    return RunningServer.start(folder, store);
  }

  private RunningServer start(Path clientCa, RequestHeaderOptions headers) throws Exception {
    return RunningServer.start(folder, store, options -> believing(options, clientCa, headers));
  }

  private static ApiServerOptions believing(
      ApiServerOptions options, Path clientCa, RequestHeaderOptions headers) {
    var given = options.authentication();
    return options.withAuthentication(
        new AuthenticationOptions(clientCa, given.tokenFile(), true, List.of(), headers));
  }

  private static X509Certificate authority(String name, Duration life) {
    var now = Instant.now();
    return life.isNegative()
        ? Authority.create(name, now.minus(Duration.ofDays(3)), Duration.ofDays(1)).certificate()
        : Authority.create(name, now, life).certificate();
  }

  private Path file(String name, X509Certificate certificate) throws IOException {
    return Files.writeString(folder.resolve(name), Pem.of(certificate));
  }

  /** The paths of everything that can be listed. */
  private static List<String> listed(RunningServer server) {
    var roots = new TreeSet<>(Set.of("/api/v1"));
    for (var group : server.get("/apis").object().array("groups").objects()) {
      for (var version : group.array("versions").objects()) {
        roots.add("/apis/" + version.string("groupVersion"));
      }
    }
    return roots.stream()
        .flatMap(
            root ->
                server.get(root).object().array("resources").objects().stream()
                    .filter(resource -> resource.array("verbs").strings().contains("list"))
                    .map(resource -> root + "/" + resource.string("name")))
        .filter(path -> !path.endsWith("/componentstatuses"))
        .toList();
  }

  private static Set<String> names(RunningServer server, String path) {
    var names = new TreeSet<String>();
    for (var item : server.get(path).object().array("items").objects()) {
      var metadata = item.object("metadata");
      var namespace = metadata.string("namespace");
      names.add((namespace.isEmpty() ? "" : namespace + "/") + metadata.string("name"));
    }
    return names;
  }

  private static List<String> lines() throws IOException {
    try (var file =
        Objects.requireNonNull(FreshClusterTest.class.getResourceAsStream("fresh-cluster.txt"))) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .toList();
    }
  }
}
