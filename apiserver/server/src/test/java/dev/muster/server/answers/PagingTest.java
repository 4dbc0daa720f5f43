package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonObject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PagingTest {
  private RunningServer server;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    server = RunningServer.start(directory);
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private List<String> pages(String path) {
    var names = new ArrayList<String>();
    var token = "";
    do {
      var query = path + (path.contains("?") ? "&" : "?") + "limit=1";
      var page =
          server.get(query + (token.isEmpty() ? "" : "&continue=" + encoded(token))).object();
      for (JsonObject item : page.array("items").objects()) {
        names.add(
            item.object("metadata").string("namespace")
                + "/"
                + item.object("metadata").string("name"));
      }
      token = page.object("metadata").string("continue");
    } while (!token.isEmpty());
    return names;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** In the order of keys "a-b/x" comes before "a/x", and no page may skip or repeat one. */
  @Test
  void pagesFollowTheOrderOfKeysAcrossNamespaces() {
    for (var namespace : List.of("order", "order-a", "order0")) {
      server.post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"" + namespace + "\"}}");
      for (var name : List.of("x", "x-1")) {
        server.post(
            "/api/v1/namespaces/" + namespace + "/secrets",
            "{\"metadata\":{\"name\":\"%s\",\"labels\":{\"order\":\"yes\"}}}".formatted(name));
      }
    }
    assertThat(pages("/api/v1/secrets?labelSelector=order%3Dyes"))
        .containsExactly(
            "order-a/x", "order-a/x-1", "order/x", "order/x-1", "order0/x", "order0/x-1");
  }

  @Test
  void aTokenHasUpstreamsForm() {
    var namespace = server.namespace();
    var maps = "/api/v1/namespaces/" + namespace + "/configmaps";
    for (var name : List.of("a", "b")) {
      server.post(maps, "{\"metadata\":{\"name\":\"" + name + "\"}}");
    }
    var metadata = server.get(maps + "?limit=1").object().object("metadata");
    var token =
        new String(
            Base64.getUrlDecoder().decode(metadata.string("continue")), StandardCharsets.UTF_8);
    assertThat(token)
        .isEqualTo(
            "{\"v\":\"meta.k8s.io/v1\",\"rv\":%s,\"start\":\"a\\u0000\"}"
                .formatted(metadata.string("resourceVersion")));
  }

  @Test
  void aTokenThatIsNoneIsRefused() {
    var path = "/api/v1/configmaps?limit=1&continue=";
    assertThat(server.get(path + "abc").message())
        .isEqualTo(
            "invalid continue token: continue key is not valid: invalid character 'i' looking for"
                + " beginning of value");
    assertThat(server.get(path + "a!").message())
        .isEqualTo(
            "invalid continue token: continue key is not valid: illegal base64 data at input byte"
                + " 1");
    assertThat(server.get(path + token("{\"v\":\"x\"}")).message())
        .endsWith("server does not recognize this encoded version x");
    assertThat(server.get(path + token("{\"v\":\"meta.k8s.io/v1\",\"rv\":1,\"start\":\"../x\"}")))
        .satisfies(answer -> assertThat(answer.message()).endsWith("is not valid: ../x"));
  }

  private static String token(String json) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(json.getBytes(StandardCharsets.UTF_8));
  }
}
