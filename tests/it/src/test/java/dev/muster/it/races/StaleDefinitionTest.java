package dev.muster.it.races;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.it.races.RaceHttp.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The second server has not heard of definitions that the first one has acknowledged. */
class StaleDefinitionTest {
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

  private static final String WIDGETS = "/apis/example.com/v1/namespaces/default/widgets";
  private static final String MERGE = "application/merge-patch+json";
  @TempDir private Path folder;

  private StaleServer stale;
  private RaceHttp http;

  @BeforeEach
  void start() throws IOException {
    stale = new StaleServer(folder);
    http = stale.http();
    await().until(() -> http.get(stale.second("/api/v1/namespaces/default")).code() == 200);
  }

  @AfterEach
  void stop() {
    stale.close();
  }

  private void define() {
    StaleServer.made(
        http.post(
            stale.first(DEFINITIONS),
            """
            {"metadata":{"name":"widgets.example.com"},
             "spec":{"group":"example.com","scope":"Namespaced",
              "names":{"plural":"widgets","kind":"Widget"},
              "versions":[{"name":"v1","served":true,"storage":true,
               "schema":{"openAPIV3Schema":{"type":"object","properties":{
                 "spec":{"type":"object","properties":{"color":{"type":"string"}}}}}}}]}}
            """));
  }

  private void addProperty(String name, String schema) {
    var path = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/" + name;
    StaleServer.made(
        http.send(
            RacingServers.TOKEN,
            "PATCH",
            stale.first(DEFINITIONS + "/widgets.example.com"),
            "application/json-patch+json",
            "[{\"op\":\"add\",\"path\":\"%s\",\"value\":%s}]".formatted(path, schema)));
  }

  private static String widget(String spec) {
    return """
    {"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w"},"spec":%s}\
    """
        .formatted(spec);
  }

  @Test
  void aTypeIsServedEverywhereWhenItsDefinitionIsAcknowledged() {
    stale.hold();
    define();
    assertThat(stale.later(() -> http.get(stale.second(WIDGETS))).code()).isEqualTo(200);
  }

  @Test
  void anObjectIsCreatedByADefinitionThatThisServerHasNotHeardOf() {
    stale.hold();
    define();
    var created =
        stale.later(() -> http.post(stale.second(WIDGETS), widget("{\"color\":\"red\"}")));
    assertThat(created.code()).as(created.message()).isEqualTo(201);
  }

  /** It would be pruned by the definition that the second server knows. */
  @Test
  void aFieldOfTheNewestDefinitionIsKeptEverywhere() {
    define();
    assertThat(http.get(stale.second(WIDGETS)).code()).isEqualTo(200);
    stale.hold();
    addProperty("size", "{\"type\":\"integer\"}");
    var created = eventually(() -> http.post(stale.second(WIDGETS), widget("{\"size\":1}")));
    assertThat(created.code()).as(created.message()).isEqualTo(201);
    assertThat(created.body().object("spec").integer("size", 0)).isEqualTo(1);
  }

  /** A write that the second server refuses by an older definition is looked at again. */
  @Test
  void aFieldOfTheNewestDefinitionIsNotRefusedAnywhere() {
    define();
    assertThat(http.get(stale.second(WIDGETS)).code()).isEqualTo(200);
    stale.hold();
    addProperty("size", "{\"type\":\"integer\"}");
    var created =
        stale.later(
            () ->
                http.post(
                    stale.second(WIDGETS + "?fieldValidation=Strict"), widget("{\"size\":1}")));
    assertThat(created.code()).as(created.message()).isEqualTo(201);
  }

  /** The second server would prune what the newest definition refuses. */
  @Test
  void nothingIsStoredByAnOutdatedDefinition() {
    define();
    StaleServer.made(http.post(stale.first(WIDGETS), widget("{\"color\":\"red\"}")));
    assertThat(http.get(stale.second(WIDGETS + "/w")).code()).isEqualTo(200);
    stale.hold();
    addProperty("size", "{\"type\":\"integer\",\"maximum\":5}");
    var refused =
        eventually(
            () ->
                http.send(
                    RacingServers.TOKEN,
                    "PATCH",
                    stale.second(WIDGETS + "/w"),
                    MERGE,
                    "{\"spec\":{\"size\":6}}"));
    assertThat(refused.code()).isEqualTo(422);
  }

  /** The answer when the second server hears of everything while it is asked. */
  private Answer eventually(Supplier<Answer> request) {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var answer = CompletableFuture.supplyAsync(request, threads);
      stale.letGo();
      return answer.join();
    }
  }
}
