package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.store.MemoryStore;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What policies do to requests, from the answer that acknowledges them on. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AdmissionPoliciesTest {
  private static final String GROUP = "/apis/admissionregistration.k8s.io/v1/";

  private RunningServer server;
  private String namespace;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    server = RunningServer.start(directory, new MemoryStore());
  }

  @BeforeEach
  void makeNamespace() {
    namespace = server.namespace();
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private void make(String path, String body) {
    var made = server.post(path, body.replace('\'', '"'));
    assertThat(made.code()).as(made.text()).isEqualTo(201);
    assertThat(made.warnings()).isEmpty();
  }

  private String constraints(String group, String version, String resource) {
    return "'matchConstraints':{'resourceRules':[{'apiGroups':['%s'],'apiVersions':['%s'],"
            .formatted(group, version)
        + "'resources':['%s'],'operations':['*']}],".formatted(resource)
        + "'namespaceSelector':{'matchLabels':{'kubernetes.io/metadata.name':'%s'}}}"
            .formatted(namespace);
  }

  private void validating(String constraints, String spec) {
    make(
        GROUP + "validatingadmissionpolicies",
        "{'metadata':{'name':'%s'},'spec':{%s,%s}}".formatted(namespace, constraints, spec));
    make(
        GROUP + "validatingadmissionpolicybindings",
        "{'metadata':{'name':'%s'},'spec':{'policyName':'%s','validationActions':['Deny']}}"
            .formatted(namespace, namespace));
  }

  private void mutating(String constraints, String mutations) {
    make(
        GROUP + "mutatingadmissionpolicies",
        "{'metadata':{'name':'%s'},'spec':{%s,'reinvocationPolicy':'Never','mutations':[%s]}}"
            .formatted(namespace, constraints, mutations));
    make(
        GROUP + "mutatingadmissionpolicybindings",
        "{'metadata':{'name':'%s'},'spec':{'policyName':'%s'}}".formatted(namespace, namespace));
  }

  private RunningServer.Answer configMap(String name) {
    return server.post(
        "/api/v1/namespaces/" + namespace + "/configmaps",
        "{\"metadata\":{\"name\":\"%s\"},\"data\":{\"a\":\"1\"}}".formatted(name));
  }

  @Test
  void aPolicyCountsFromItsAcknowledgementUntilItsBindingIsGone() {
    validating(
        constraints("", "v1", "configmaps"),
        "'validations':[{'expression':'object.metadata.name != \\\"c\\\"',"
            + "'messageExpression':'request.operation + \\\" of \\\" + object.metadata.name'}]");
    var refused = configMap("c");
    assertThat(refused.code()).isEqualTo(422);
    assertThat(refused.message())
        .isEqualTo(
            "configmaps \"c\" is forbidden: ValidatingAdmissionPolicy '%s' with binding '%s' denied"
                    .formatted(namespace, namespace)
                + " request: CREATE of c");
    assertThat(configMap("d").code()).isEqualTo(201);
    server.delete(GROUP + "validatingadmissionpolicybindings/" + namespace, "{}");
    assertThat(configMap("c").code()).isEqualTo(201);
  }

  @Test
  void aPolicyForOneVersionSeesObjectsOfAnotherInIt() {
    validating(
        constraints("autoscaling", "v1", "horizontalpodautoscalers"),
        "'validations':[{'expression':'false','messageExpression':"
            + "'object.apiVersion + \\\"|\\\" + request.requestKind.version'}]");
    var refused =
        server.post(
            "/apis/autoscaling/v2/namespaces/" + namespace + "/horizontalpodautoscalers",
            """
            {"metadata":{"name":"h"},"spec":{"maxReplicas":3,
             "scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"d"}}}
            """);
    assertThat(refused.message()).endsWith("denied request: autoscaling/v1|v2");
  }

  @Test
  void aMutatedObjectIsStoredWithItsDefaults() {
    mutating(
        constraints("", "v1", "pods"),
        "{'patchType':'ApplyConfiguration','applyConfiguration':{'expression':"
            + "'Object{spec: Object.spec{initContainers:"
            + " [Object.spec.initContainers{name: \\\"i\\\", image: \\\"m\\\"}]}}'}}");
    var made =
        server.post(
            "/api/v1/namespaces/" + namespace + "/pods",
            "{\"metadata\":{\"name\":\"p\"},\"spec\":{\"containers\":[{\"name\":\"a\","
                + "\"image\":\"a\"}]}}");
    assertThat(made.code()).as(made.text()).isEqualTo(201);
    var container = made.object().object("spec").array("initContainers").object(0);
    assertThat(container.string("image")).isEqualTo("m");
    assertThat(container.string("terminationMessagePath")).isEqualTo("/dev/termination-log");
  }

  @Test
  void whatAMutationBreaksIsRefusedByTheRulesOfTheObject() {
    mutating(
        constraints("", "v1", "configmaps"),
        "{'patchType':'JSONPatch','jsonPatch':{'expression':"
            + "'[JSONPatch{op: \\\"add\\\", path: \\\"/data/bad key\\\", value: \\\"x\\\"}]'}}");
    var refused = configMap("c");
    assertThat(refused.code()).isEqualTo(422);
    assertThat(refused.message()).contains("data[bad key]: Invalid value");
  }

  @Test
  void policiesAreNotHeldToPolicies() {
    validating(
        "'matchConstraints':{'resourceRules':[{'apiGroups':['admissionregistration.k8s.io'],"
            + "'apiVersions':['*'],'resources':['*'],'operations':['*']}]}",
        "'validations':[{'expression':'false'}]");
    var path = GROUP + "validatingadmissionpolicies/" + namespace;
    var changed =
        server.patch(path, RunningServer.MERGE, "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
    assertThat(changed.code()).as(changed.text()).isEqualTo(200);
    server.delete(path, "{}");
  }

  @Test
  void whatWasSentEmptyIsNotThere() {
    validating(
        constraints("", "v1", "configmaps"),
        "'validations':[{'expression':'has(object.data)','message':'data needed'}]");
    var maps = "/api/v1/namespaces/" + namespace + "/configmaps";
    assertThat(server.post(maps, "{\"metadata\":{\"name\":\"c\"},\"data\":{}}").message())
        .endsWith("data needed");
  }

  private String deployment() {
    var deployments = "/apis/apps/v1/namespaces/" + namespace + "/deployments";
    var made =
        server.post(
            deployments,
            """
            {"metadata":{"name":"d"},"spec":{"replicas":1,"selector":{"matchLabels":{"a":"b"}},
             "template":{"metadata":{"labels":{"a":"b"}},
              "spec":{"containers":[{"name":"a","image":"a"}]}}}}
            """);
    assertThat(made.code()).as(made.text()).isEqualTo(201);
    return deployments + "/d";
  }

  @Test
  void aScaleIsCheckedAsAScale() {
    var deployment = deployment();
    validating(
        constraints("apps", "v1", "deployments/scale"),
        "'validations':[{'expression':'object.kind == \\\"Scale\\\" && oldObject.spec.replicas == 1"
            + " && object.spec.replicas < 5','messageExpression':'string(object.spec.replicas)'}]");
    var three = "{\"spec\":{\"replicas\":3}}";
    assertThat(server.patch(deployment + "/scale", RunningServer.MERGE, three).code())
        .isEqualTo(200);
    var refused = server.patch(deployment + "/scale", RunningServer.MERGE, three.replace("3", "7"));
    assertThat(refused.message()).endsWith("denied request: 7");
  }

  @Test
  void anApplyConfigurationChangesAScale() {
    var deployment = deployment();
    mutating(
        constraints("apps", "v1", "deployments/scale"),
        "{'patchType':'ApplyConfiguration','applyConfiguration':{'expression':"
            + "'Object{spec: Object.spec{replicas: object.spec.replicas + 1}}'}}");
    var scaled =
        server.patch(deployment + "/scale", RunningServer.MERGE, "{\"spec\":{\"replicas\":3}}");
    assertThat(scaled.code()).as(scaled.text()).isEqualTo(200);
    assertThat(scaled.object().object("spec").integer("replicas", 0)).isEqualTo(4);
    assertThat(server.get(deployment).object().object("spec").integer("replicas", 0)).isEqualTo(4);
  }

  @Test
  void connectionsAreHeldToPolicies() {
    validating(
        constraints("", "v1", "pods/exec"),
        "'validations':[{'expression':'object.command[0] != \\\"sh\\\"','message':'no shell'}]");
    var pods = "/api/v1/namespaces/" + namespace + "/pods";
    assertThat(server.post(pods + "/p/exec?command=sh&stdout=true", "").message())
        .endsWith("denied request: no shell");
    assertThat(server.post(pods + "/p/exec?command=ls&stdout=true", "").code()).isEqualTo(404);
  }

  @Test
  void whatIsLeftOfADeniedCollectionIsToldWithoutAName() {
    assertThat(configMap("keep").code()).isEqualTo(201);
    validating(
        constraints("", "v1", "configmaps"),
        "'validations':[{'expression':'request.operation != \\\"DELETE\\\" ||"
            + " oldObject.metadata.name != \\\"keep\\\"','message':'stays'}]");
    var maps = "/api/v1/namespaces/" + namespace + "/configmaps";
    assertThat(server.delete(maps, "{}").message())
        .startsWith("configmaps \"Unknown\" is forbidden: ")
        .endsWith("denied request: stays");
    assertThat(server.get(maps + "/keep").code()).isEqualTo(200);
  }

  @Test
  void whatPoliciesDoIsCounted() {
    validating(
        constraints("", "v1", "configmaps"),
        "'validations':[{'expression':'object.metadata.name != \\\"c\\\"'}]");
    assertThat(configMap("c").code()).isEqualTo(422);
    mutating(
        constraints("", "v1", "secrets"),
        "{'patchType':'ApplyConfiguration','applyConfiguration':{'expression':'Object{}'}}");
    server.post("/api/v1/namespaces/" + namespace + "/secrets", "{\"metadata\":{\"name\":\"s\"}}");
    assertThat(server.get("/metrics").text())
        .contains(
            "apiserver_validating_admission_policy_check_total{enforcement_action=\"deny\","
                + "error_type=\"invalid_error\",policy=\"%s\",policy_binding=\"%s\"} 1"
                    .formatted(namespace, namespace),
            "apiserver_mutating_admission_policy_check_total{error_type=\"no_error\",policy=\"%s\","
                    .formatted(namespace)
                + "policy_binding=\"%s\"} 1".formatted(namespace),
            "apiserver_validating_admission_policy_check_duration_seconds_count",
            "apiserver_mutating_admission_policy_check_duration_seconds_count",
            "apiserver_admission_controller_admission_duration_seconds_count{"
                + "name=\"ValidatingAdmissionPolicy\",operation=\"CREATE\",rejected=\"true\","
                + "type=\"validate\"}",
            "apiserver_admission_step_admission_duration_seconds_summary_count{"
                + "operation=\"CREATE\",rejected=\"true\",type=\"validate\"}");
  }
}
