package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonObject;
import dev.muster.wire.JsonReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests that programs of users change, refuse and let pass, over real connections. */
class AdmissionWebhookTest {
  private static final String GROUP = "/apis/admissionregistration.k8s.io/v1/";

  private RunningServer server;
  private HookServer hooks;
  private String namespace;
  private String configMaps;

  @BeforeEach
  void start(@TempDir Path directory) throws IOException, GeneralSecurityException {
    server = RunningServer.start(directory);
    hooks = new HookServer();
    namespace = server.namespace();
    configMaps = "/api/v1/namespaces/" + namespace + "/configmaps";
  }

  @AfterEach
  void stop() {
    hooks.close();
    server.close();
  }

  private static JsonObject json(String text) {
    return (JsonObject) JsonReader.read(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  private static JsonObject patched(String patch) {
    var bytes = patch.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    return json("{'allowed':true,'patchType':'JSONPatch'}")
        .with("patch", Base64.getEncoder().encodeToString(bytes));
  }

  private void configure(String plural, String path, String group, String resource, String more) {
    var hook =
        """
        {"metadata":{"name":"a"},"webhooks":[{"name":"w.example.com","clientConfig":%s,
         "sideEffects":"None","admissionReviewVersions":["v1"],
         "rules":[{"operations":["*"],"apiGroups":["%s"],"apiVersions":["*"],"resources":["%s"]}],
         "namespaceSelector":{"matchLabels":{"kubernetes.io/metadata.name":"%s"}}%s}]}
        """
            .formatted(hooks.client(path), group, resource, namespace, more);
    var made = server.post(GROUP + plural, hook);
    assertThat(made.code()).as(made.text()).isEqualTo(201);
    assertThat(made.warnings()).isEmpty();
  }

  private static String configMap(String name) {
    return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"%s\"}}"
        .formatted(name);
  }

  @Test
  void aDenialIsTheAnswerFromTheNextRequestOn() {
    hooks.at("/deny", request -> json("{'allowed':false,'status':{'code':418,'message':'tea'}}"));
    assertThat(server.post(configMaps, configMap("before")).code()).isEqualTo(201);
    configure("validatingwebhookconfigurations", "/deny", "", "configmaps", "");

    var refused = server.post(configMaps, configMap("c"));
    assertThat(refused.code()).isEqualTo(418);
    assertThat(refused.message())
        .isEqualTo("admission webhook \"w.example.com\" denied the request: tea");
    assertThat(server.delete(configMaps + "/before", "").code()).isEqualTo(418);
    assertThat(server.delete(GROUP + "validatingwebhookconfigurations/a", "").code())
        .isEqualTo(200);
    assertThat(server.post(configMaps, configMap("c")).code()).isEqualTo(201);
    assertThat(hooks.asked).hasSize(2);
  }

  @Test
  void whatAPatchAddsGetsItsDefaultsAndIsChecked() {
    var container = "[{'op':'add','path':'/spec/containers/-','value':{'name':'%s','image':'b'}}]";
    hooks.at("/add", request -> patched(container.formatted("b")));
    configure("mutatingwebhookconfigurations", "/add", "", "pods", "");
    var pods = "/api/v1/namespaces/" + namespace + "/pods";
    var pod =
        "{\"metadata\":{\"name\":\"p\"},\"spec\":{\"containers\":[{\"name\":\"a\",\"image\":\"a\"}]}}";
    var made = server.post(pods, pod);
    assertThat(made.code()).as(made.text()).isEqualTo(201);
    var added = made.object().object("spec").array("containers").object(1);
    assertThat(added.string("terminationMessagePolicy")).isEqualTo("File");

    hooks.at("/add", request -> patched(container.formatted("A B")));
    assertThat(server.post(pods, pod.replace("\"p\"", "\"q\"")).code()).isEqualTo(422);
  }

  @Test
  void scalesAreShownAndChangedAsScales() {
    hooks.at("/scale", request -> patched("[{'op':'replace','path':'/spec/replicas','value':7}]"));
    configure("mutatingwebhookconfigurations", "/scale", "apps", "deployments/scale", "");
    var deployments = "/apis/apps/v1/namespaces/" + namespace + "/deployments";
    var made =
        server.post(
            deployments,
            """
            {"metadata":{"name":"d"},"spec":{"selector":{"matchLabels":{"a":"b"}},
             "template":{"metadata":{"labels":{"a":"b"}},
              "spec":{"containers":[{"name":"a","image":"a"}]}}}}
            """);
    assertThat(made.code()).as(made.text()).isEqualTo(201);
    assertThat(hooks.asked).isEmpty();

    var scaled =
        server.patch(deployments + "/d/scale", RunningServer.MERGE, "{\"spec\":{\"replicas\":3}}");
    assertThat(scaled.code()).as(scaled.text()).isEqualTo(200);
    assertThat(scaled.object().object("spec").integer("replicas", 0)).isEqualTo(7);
    assertThat(hooks.asked.getFirst().object("object").string("kind")).isEqualTo("Scale");
    assertThat(server.get(deployments + "/d").object().object("spec").integer("replicas", 0))
        .isEqualTo(7);
  }

  @Test
  void aWebhookThatHangsHoldsUpOnlyThoseWhoNeedIt() throws InterruptedException {
    var hanging = new CountDownLatch(1);
    var done = new CountDownLatch(1);
    hooks.at(
        "/hang",
        request -> {
          hanging.countDown();
          try {
            done.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return json("{'allowed':true}");
        });
    configure(
        "validatingwebhookconfigurations", "/hang", "", "configmaps", ",\"timeoutSeconds\":30");
    var writer = Thread.startVirtualThread(() -> server.post(configMaps, configMap("c")));
    assertThat(hanging.await(20, TimeUnit.SECONDS)).isTrue();
    var secrets = "/api/v1/namespaces/" + namespace + "/secrets";
    assertThat(server.post(secrets, "{\"metadata\":{\"name\":\"s\"}}").code()).isEqualTo(201);
    assertThat(server.get(configMaps + "/c").code()).isEqualTo(404);
    done.countDown();
    writer.join();
    assertThat(server.get(configMaps + "/c").code()).isEqualTo(200);
  }

  @Test
  void thePolicyDecidesWhenNobodyAnswersInTime() {
    hooks.at("/deny", request -> json("{'allowed':false}"));
    configure(
        "mutatingwebhookconfigurations",
        "/deny",
        "",
        "configmaps",
        ",\"failurePolicy\":\"Ignore\"");
    assertThat(server.post(configMaps, configMap("c")).code()).isEqualTo(400);
    hooks.close();
    var made = server.post(configMaps, configMap("c"));
    assertThat(made.code()).as(made.text()).isEqualTo(201);
  }

  @Test
  void connectionsAreAdmittedToo() {
    hooks.at("/deny", request -> json("{'allowed':false,'status':{'message':'no exec'}}"));
    configure("validatingwebhookconfigurations", "/deny", "", "pods/exec", "");
    var refused =
        server.post(
            "/api/v1/namespaces/" + namespace + "/pods/p/exec?command=ls&container=a&stdout=true",
            "");
    assertThat(refused.message())
        .isEqualTo("admission webhook \"w.example.com\" denied the request: no exec");
    var asked = hooks.asked.getFirst();
    assertThat(asked.string("operation")).isEqualTo("CONNECT");
    assertThat(asked.object("object"))
        .isEqualTo(
            json(
                "{'kind':'PodExecOptions','apiVersion':'v1','stdout':true,'container':'a',"
                    + "'command':['ls']}"));
  }

  @Test
  void whatWebhooksSayIsCounted() {
    hooks.at("/deny", request -> json("{'allowed':false,'status':{'code':418}}"));
    configure(
        "validatingwebhookconfigurations",
        "/deny",
        "",
        "configmaps",
        ",\"failurePolicy\":\"Ignore\"");
    assertThat(server.post(configMaps, configMap("c")).code()).isEqualTo(418);
    hooks.close();
    assertThat(server.post(configMaps, configMap("c")).code()).isEqualTo(201);
    var name = "name=\"w.example.com\",";
    assertThat(server.get("/metrics").text())
        .contains(
            "apiserver_admission_webhook_rejection_count{error_type=\"no_error\","
                + name
                + "operation=\"CREATE\",rejection_code=\"418\",type=\"validating\"} 1",
            "apiserver_admission_webhook_request_total{code=\"418\","
                + name
                + "operation=\"CREATE\",rejected=\"true\",type=\"validating\"} 1",
            "apiserver_admission_webhook_request_total{code=\"503\","
                + name
                + "operation=\"CREATE\",rejected=\"false\",type=\"validating\"} 1",
            "apiserver_admission_webhook_fail_open_count{" + name + "type=\"validating\"} 1",
            "apiserver_admission_webhook_admission_duration_seconds_count{"
                + name
                + "operation=\"CREATE\",rejected=\"true\",type=\"validating\"} 1");
  }

  @Test
  void ownersThatAPatchMakesNonsenseOfStayAsTheyWere() {
    hooks.at(
        "/own",
        request ->
            patched(
                "[{'op':'replace','path':'/metadata/managedFields/0/operation','value':'Own'},"
                    + "{'op':'add','path':'/data/a','value':'b'}]"));
    configure("mutatingwebhookconfigurations", "/own", "", "configmaps", "");
    var made = server.post(configMaps, "{\"metadata\":{\"name\":\"c\"},\"data\":{\"x\":\"y\"}}");
    assertThat(made.code()).as(made.text()).isEqualTo(201);
    assertThat(made.object().object("data").string("a")).isEqualTo("b");
    assertThat(made.warnings())
        .containsExactly(
            "299 - \".metadata.managedFields was in an invalid state after admission; this could be"
                + " caused by an outdated mutating admission controller; please fix your requests:"
                + " operation must be `Apply` or `Update`\"");
    var owner = made.object().object("metadata").array("managedFields").object(0);
    assertThat(owner.string("operation")).isEqualTo("Update");
    assertThat(owner.object("fieldsV1", "f:data").has("f:x")).isTrue();
    assertThat(owner.object("fieldsV1", "f:data").has("f:a")).isFalse();
  }
}
