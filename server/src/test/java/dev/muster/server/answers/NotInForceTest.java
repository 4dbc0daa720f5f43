package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.store.MemoryStore;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who makes something that is kept but does nothing yet hears of it. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NotInForceTest {
  private static final String HOOK =
      "'webhooks':[{'name':'a.example.com','sideEffects':'None','admissionReviewVersions':['v1'],"
          + "'clientConfig':{'url':'https://example.com'}}]";
  private static final String SERVICE =
      "'spec':{'group':'example.com','version':'v1','groupPriorityMinimum':100,"
          + "'versionPriority':10,'insecureSkipTLSVerify':true,"
          + "'service':{'name':'s','namespace':'default'}}";
  private static final String FLOW =
      "'spec':{'priorityLevelConfiguration':{'name':'global-default'}}";

  private RunningServer server;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    server = RunningServer.start(directory, new MemoryStore());
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private static String level(int shares) {
    return "'spec':{'type':'Limited','limited':{'nominalConcurrencyShares':"
        + shares
        + ",'limitResponse':{'type':'Reject'}}}";
  }

  private static String body(String name, String rest) {
    return "{'metadata':{'name':'%s'},%s}".formatted(name, rest).replace('\'', '"');
  }

  private static String warning(String kind, String what) {
    return "299 - \"%s is not in force yet: %s\"".formatted(kind, what);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "apiregistration.k8s.io/v1/apiservices | v1.example.com | "
            + SERVICE
            + " | APIService | requests are not passed on to other API servers",
        "flowcontrol.apiserver.k8s.io/v1/flowschemas | a | "
            + FLOW
            + " | FlowSchema | all requests wait in one line",
      })
  void whoMakesOneIsWarned(String path, String name, String rest, String kind, String what) {
    var made = server.post("/apis/" + path, body(name, rest));
    assertThat(made.code()).as(made.text()).isEqualTo(201);
    assertThat(made.warnings()).contains(warning(kind, what));
    var labelled =
        server.patch(
            "/apis/" + path + "/" + name,
            RunningServer.MERGE,
            "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
    assertThat(labelled.code()).as(labelled.text()).isEqualTo(200);
    assertThat(labelled.warnings()).noneMatch(text -> text.contains("not in force"));
  }

  @Test
  void whoChangesWhatOneSaysIsWarnedAgain() {
    var path = "/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations/level";
    var expected = warning("PriorityLevelConfiguration", "all requests wait in one line");
    for (int shares : new int[] {1, 2}) {
      var applied =
          server.patch(
              path + "?fieldManager=f",
              RunningServer.APPLY,
              "{\"apiVersion\":\"flowcontrol.apiserver.k8s.io/v1\","
                  + "\"kind\":\"PriorityLevelConfiguration\","
                  + body("level", level(shares)).substring(1));
      assertThat(applied.code()).as(applied.text()).isIn(200, 201);
      assertThat(applied.warnings()).containsExactly(expected);
    }
    var status =
        server.patch(
            path + "/status",
            RunningServer.MERGE,
            "{\"status\":{\"conditions\":[{\"type\":\"a\",\"status\":\"True\"}]}}");
    assertThat(status.code()).as(status.text()).isEqualTo(200);
    assertThat(status.warnings()).isEmpty();
  }

  @Test
  void nothingIsSaidAboutWhatIsInForce() {
    var local =
        "'spec':{'group':'local.example.com','version':'v1','groupPriorityMinimum':100,"
            + "'versionPriority':10}";
    var made =
        server.post(
            "/apis/apiregistration.k8s.io/v1/apiservices", body("v1.local.example.com", local));
    assertThat(made.code()).as(made.text()).isEqualTo(201);
    assertThat(made.warnings()).isEmpty();
    for (var plural : List.of("validatingwebhookconfigurations", "mutatingwebhookconfigurations")) {
      var hook = server.post("/apis/admissionregistration.k8s.io/v1/" + plural, body("a", HOOK));
      assertThat(hook.code()).as(hook.text()).isEqualTo(201);
      assertThat(hook.warnings()).isEmpty();
    }
    assertThat(
            server.post("/api/v1/namespaces/default/configmaps", body("m", "'data':{}")).warnings())
        .isEmpty();
  }
}
