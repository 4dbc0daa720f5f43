package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonObject;
import dev.muster.server.options.audit.AuditMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What webhooks and policies add to the audit log. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AuditAdmissionTest {
  private static final String GROUP = "/apis/admissionregistration.k8s.io/v1/";
  private static final String POLICY =
      """
      rules:
      - level: Metadata
        namespaces: [quiet]
      - level: Request
      """;
  private static final String RULES =
      "'rules':[{'apiGroups':[''],'apiVersions':['v1'],'resources':['configmaps'],"
          + "'operations':['CREATE']}],'sideEffects':'None','admissionReviewVersions':['v1']";

  private RunningServer server;
  private HookServer hooks;
  private AuditFile file;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    file = new AuditFile(directory.resolve("audit.log"));
    hooks = new HookServer();
    server = RunningServer.start(directory, file.logged(POLICY, AuditMode.BLOCKING));
    var patch = "[{\"path\":\"/data\",\"op\":\"add\",\"value\":{\"a\":\"<b>\"}}]";
    hooks.at(
        "/change",
        request ->
            JsonObject.of(
                "allowed",
                true,
                "patchType",
                "JSONPatch",
                "patch",
                Base64.getEncoder().encodeToString(patch.getBytes(StandardCharsets.UTF_8)),
                "auditAnnotations",
                JsonObject.of("seen", "yes")));
    make(
        GROUP + "mutatingwebhookconfigurations",
        "{'metadata':{'name':'changing'},'webhooks':[{'name':'change.example.com','clientConfig':"
            + hooks.client("/change")
            + ","
            + RULES
            + "}]}");
    make(
        GROUP + "validatingwebhookconfigurations",
        "{'metadata':{'name':'gone'},'webhooks':[{'name':'gone.example.com','failurePolicy':'Ignore',"
            + "'clientConfig':{'url':'https://127.0.0.1:1/'},"
            + RULES
            + "}]}");
    make(
        GROUP + "validatingadmissionpolicies",
        "{'metadata':{'name':'p.example.com'},'spec':{'matchConstraints':{'resourceRules':[{"
            + "'apiGroups':[''],'apiVersions':['v1'],'resources':['configmaps'],'operations':['CREATE']"
            + "}]},'validations':[{'expression':'false','message':'never'}],"
            + "'auditAnnotations':[{'key':'name','valueExpression':'string(object.metadata.name)'}]}}");
    make(
        GROUP + "validatingadmissionpolicybindings",
        "{'metadata':{'name':'b'},'spec':{'policyName':'p.example.com',"
            + "'validationActions':['Audit']}}");
    make("/api/v1/namespaces", "{'metadata':{'name':'quiet'}}");
  }

  private void make(String path, String body) {
    var made = server.post(path, body.replace('\'', '"'));
    assertThat(made.code()).as(made.text()).isEqualTo(201);
  }

  @AfterAll
  void stop() {
    server.close();
    hooks.close();
  }

  @Test
  void webhooksAndPoliciesAreSeenInTheEvent() {
    var uri = "/api/v1/namespaces/default/configmaps";
    make(uri, "{'metadata':{'name':'c'}}");
    var annotations = file.completed(uri).object("annotations").strings();
    assertThat(annotations)
        .containsEntry(
            "mutation.webhook.admission.k8s.io/round_0_index_0",
            "{\"configuration\":\"changing\",\"webhook\":\"change.example.com\",\"mutated\":true}")
        .containsEntry(
            "patch.webhook.admission.k8s.io/round_0_index_0",
            "{\"configuration\":\"changing\",\"webhook\":\"change.example.com\","
                + "\"patch\":[{\"op\":\"add\",\"path\":\"/data\","
                + "\"value\":{\"a\":\"\\u003cb\\u003e\"}}],\"patchType\":\"JSONPatch\"}")
        .containsEntry("change.example.com/seen", "yes")
        .containsEntry(
            "failed-open.validating.webhook.admission.k8s.io/round_0_index_0", "gone.example.com")
        .containsEntry("p.example.com/name", "c")
        .containsKey("validation.policy.admission.k8s.io/validation_failure");
    assertThat(annotations.get("validation.policy.admission.k8s.io/validation_failure"))
        .contains("\"message\":\"never\"")
        .contains("\"validationActions\":[\"Audit\"]");
  }

  @Test
  void patchesOfWebhooksAreNotShownAtMetadataLevel() {
    var uri = "/api/v1/namespaces/quiet/configmaps";
    make(uri, "{'metadata':{'name':'c'}}");
    assertThat(file.completed(uri).object("annotations").keys())
        .contains("mutation.webhook.admission.k8s.io/round_0_index_0")
        .doesNotContain("patch.webhook.admission.k8s.io/round_0_index_0");
  }
}
