package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who leaves something as it was that should not be like that hears of it with every write. */
class RatchetingWarningsTest {
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  private static final String RULE =
      ",\"x-kubernetes-validations\":[{\"rule\":\"self.startsWith('z')\"}]";

  private static String definition(String rule) {
    return """
    {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
     "metadata":{"name":"things.example.com"},
     "spec":{"group":"example.com","scope":"Namespaced",
      "names":{"plural":"things","kind":"Thing"},
      "versions":[{"name":"v1","served":true,"storage":true,
       "schema":{"openAPIV3Schema":{"type":"object","properties":{
         "spec":{"type":"object","properties":{"a":{"type":"string"%s},"b":{"type":"string"}}}}}}}]}}
    """
        .formatted(rule);
  }

  @Test
  void everyUpdateWarnsOfWhatItLeavesAsItWas(@TempDir Path directory)
      throws IOException, GeneralSecurityException {
    try (var server = RunningServer.start(directory)) {
      server.post(DEFINITIONS, definition(""));
      var things = "/apis/example.com/v1/namespaces/" + server.namespace() + "/things";
      var made =
          server.post(
              things,
              "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Thing\","
                  + "\"metadata\":{\"name\":\"one\"},\"spec\":{\"a\":\"abc\"}}");
      assertThat(made.code()).as(made.text()).isEqualTo(201);
      var stricter =
          server.patch(DEFINITIONS + "/things.example.com", RunningServer.MERGE, definition(RULE));
      assertThat(stricter.code()).as(stricter.text()).isEqualTo(200);
      for (int i = 0; i < 4; i++) {
        var changed =
            server.patch(
                things + "/one", RunningServer.MERGE, "{\"spec\":{\"b\":\"%d\"}}".formatted(i));
        assertThat(changed.code()).as(changed.text()).isEqualTo(200);
        assertThat(changed.warnings())
            .containsExactly(
                "299 - \"spec.a: Invalid value: \\\"abc\\\": failed rule: self.startsWith('z')\"");
      }
    }
  }
}
