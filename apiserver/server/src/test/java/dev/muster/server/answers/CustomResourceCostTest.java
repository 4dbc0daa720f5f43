package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What custom resources must not cost: waiting, and writes that change nothing. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CustomResourceCostTest {
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

  private RunningServer server;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException, GeneralSecurityException {
    server = RunningServer.start(directory);
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private static String definition(String group, String plural, String kind) {
    return """
    {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
     "metadata":{"name":"%s.%s"},
     "spec":{"group":"%s","scope":"Namespaced","names":{"plural":"%s","kind":"%s"},
      "versions":[{"name":"v1","served":true,"storage":true,
       "schema":{"openAPIV3Schema":{"type":"object","properties":{
         "spec":{"type":"object",
          "x-kubernetes-validations":[{"rule":"self.size >= oldSelf.size"}],
          "properties":{"color":{"type":"string","default":"red"},
           "size":{"type":"integer"}}}}}}}]}}
    """
        .formatted(plural, group, group, plural, kind);
  }

  @Test
  void aDefinitionIsServedWhenItsCreateIsAnswered() {
    for (int i = 0; i < 20; i++) {
      var group = "at-once-" + i % 3 + ".example.com";
      var plural = "things" + i;
      var made = server.post(DEFINITIONS, definition(group, plural, "Thing" + i));
      assertThat(made.code()).as(made.text()).isEqualTo(201);
      assertThat(server.get(DEFINITIONS + "/" + plural + "." + group).text())
          .as("who is answered meets no change of its status any more")
          .contains("\"Established\"");
      var root = "/apis/" + group + "/v1";
      assertThat(server.get(root + "/" + plural + "?resourceVersion=0").code()).isEqualTo(200);
      assertThat(server.get(root).text()).contains("\"" + plural + "\"");
      assertThat(server.get("/openapi/v2").text()).contains("\"" + root + "/" + plural + "\"");
      assertThat(server.get("/openapi/v3" + root).text())
          .contains("\"" + root + "/" + plural + "\"");
    }
  }

  @Test
  void anApplyThatChangesNothingWritesNothing() {
    var group = "applied.example.com";
    server.post(DEFINITIONS, definition(group, "things", "Thing"));
    var path =
        "/apis/" + group + "/v1/namespaces/" + server.namespace() + "/things/one?fieldManager=m";
    var body =
        """
        {"apiVersion":"%s/v1","kind":"Thing","metadata":{"name":"one"},"spec":{"size":3}}
        """
            .formatted(group);
    var first = server.patch(path, RunningServer.APPLY, body);
    assertThat(first.code()).as(first.text()).isEqualTo(201);
    for (int i = 0; i < 3; i++) {
      var again = server.patch(path, RunningServer.APPLY, body);
      assertThat(again.code()).isEqualTo(200);
      assertThat(again.object()).isEqualTo(first.object());
    }
    assertThat(first.object().object("spec").string("color")).isEqualTo("red");
    var changed = server.patch(path, RunningServer.APPLY, body.replace("3", "4"));
    assertThat(changed.object().object("metadata").string("resourceVersion"))
        .isNotEqualTo(first.object().object("metadata").string("resourceVersion"));
  }
}
