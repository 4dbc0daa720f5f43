package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonObject;
import dev.muster.server.options.audit.AuditMode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What the audit log says about requests, over HTTP and in a file. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AuditLogTest {
  private static final String POLICY =
      """
      omitManagedFields: true
      rules:
      - level: None
        nonResourceURLs: ["/readyz", "/metrics"]
      - level: Metadata
        resources: [{group: "", resources: [secrets, serviceaccounts/token]}]
      - level: RequestResponse
        nonResourceURLs: ["/apis/apps*"]
      - level: Metadata
        nonResourceURLs: ["*"]
      - level: RequestResponse
      """;

  private RunningServer server;
  private AuditFile file;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    file = new AuditFile(directory.resolve("logs/audit.log"));
    Files.createDirectories(directory.resolve("logs"));
    server = RunningServer.start(directory, file.logged(POLICY, AuditMode.BLOCKING));
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private static List<String> stages(List<JsonObject> events) {
    return events.stream().map(event -> event.string("stage")).toList();
  }

  @Test
  void aGetHasTwoEventsWithTheFieldsOfKubeApiserver() {
    var uri = "/api/v1/namespaces/default?x=1&y=%3C";
    var answer = server.exchange("GET", uri, "application/json", "");
    assertThat(answer.statusCode()).isEqualTo(200);
    var events = file.about(uri, "ResponseComplete");
    assertThat(stages(events)).containsExactly("RequestReceived", "ResponseComplete");
    var event = events.getLast();
    assertThat(event.keys())
        .containsExactly(
            "kind",
            "apiVersion",
            "level",
            "auditID",
            "stage",
            "requestURI",
            "verb",
            "user",
            "sourceIPs",
            "userAgent",
            "objectRef",
            "responseStatus",
            "responseObject",
            "requestReceivedTimestamp",
            "stageTimestamp",
            "annotations");
    assertThat(event.string("auditID"))
        .isEqualTo(answer.headers().firstValue("audit-id").orElseThrow());
    assertThat(event.get("user"))
        .hasToString(
            "{\"username\":\"admin\",\"uid\":\"1\",\"groups\":[\"system:masters\",\"system:authenticated\"]}");
    assertThat(event.get("sourceIPs")).hasToString("[\"127.0.0.1\"]");
    assertThat(event.get("objectRef"))
        .hasToString(
            "{\"resource\":\"namespaces\",\"namespace\":\"default\",\"name\":\"default\",\"apiVersion\":\"v1\"}");
    assertThat(event.get("responseStatus")).hasToString("{\"metadata\":{},\"code\":200}");
    assertThat(event.object("responseObject").string("kind")).isEqualTo("Namespace");
    assertThat(event.get("annotations"))
        .hasToString(
            "{\"authorization.k8s.io/decision\":\"allow\",\"authorization.k8s.io/reason\":\"\"}");
    assertThat(event.string("stageTimestamp"))
        .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z");
    var received = events.getFirst();
    assertThat(received.has("responseStatus")).isFalse();
    assertThat(received.has("annotations")).isFalse();
    assertThat(received.get("stageTimestamp")).isEqualTo(received.get("requestReceivedTimestamp"));
  }

  @Test
  void whatIsServedIsShownAsAnObject() {
    for (var accept : List.of("application/json", "application/yaml")) {
      server.exchange("GET", "/apis/apps/v1?" + accept, accept, "");
      var event = file.completed("/apis/apps/v1?" + accept);
      assertThat(event.object("responseObject").string("kind")).isEqualTo("APIResourceList");
      assertThat(event.object("responseObject").string("groupVersion")).isEqualTo("apps/v1");
    }
    server.exchange("GET", "/apis/apps", "application/json", "");
    assertThat(file.completed("/apis/apps").object("responseObject").string("kind"))
        .isEqualTo("APIGroup");
  }

  @Test
  void aWriteShowsWhatWasSentAndWhatCameOfItWithoutManagedFields() {
    var uri = "/api/v1/namespaces/default/configmaps?fieldManager=m";
    server.post(uri, "{\"metadata\":{\"name\":\"shown\"},\"data\":{\"k\":\"<v>\"},\"x\":1}");
    var event = file.completed(uri);
    assertThat(event.object("objectRef").string("name")).isEqualTo("shown");
    assertThat(event.object("requestObject").string("kind")).isEqualTo("ConfigMap");
    assertThat(event.object("requestObject").has("x")).isFalse();
    assertThat(event.object("responseObject", "metadata").string("uid")).isNotEmpty();
    assertThat(event.object("responseObject", "metadata").has("managedFields")).isFalse();
    assertThat(file.text()).contains("\\u003cv\\u003e").doesNotContain("<v>");
    assertThat(event.object("responseStatus").integer("code", 0)).isEqualTo(201);
  }

  @Test
  void aListThatIsStreamedOrInProtobufOrForPeopleIsShownAsCompactJson() {
    for (int i = 0; i < 40; i++) {
      server.post(
          "/api/v1/namespaces/kube-public/configmaps",
          "{\"metadata\":{\"name\":\"many-%d\"},\"data\":{\"k\":\"%s\"}}"
              .formatted(i, "v".repeat(20_000)));
    }
    var accepts =
        List.of("application/json", "application/vnd.kubernetes.protobuf", "application/yaml");
    for (var accept : accepts) {
      var uri =
          "/api/v1/namespaces/kube-public/configmaps?pretty=true&as=" + accepts.indexOf(accept);
      assertThat(server.exchange("GET", uri, accept, "").statusCode()).isEqualTo(200);
      var list = file.completed(uri).object("responseObject");
      assertThat(list.string("kind")).as(accept).isEqualTo("ConfigMapList");
      assertThat(list.array("items").size()).as(accept).isGreaterThanOrEqualTo(40);
      assertThat(list.array("items").object(0).object("metadata").has("managedFields")).isFalse();
    }
  }

  @Test
  void aPatchIsShownAsItWasSentAlsoFromYaml() {
    server.post("/api/v1/namespaces/default/configmaps", "{\"metadata\":{\"name\":\"patched\"}}");
    var uri = "/api/v1/namespaces/default/configmaps/patched";
    server.patch(uri + "?a=1", RunningServer.MERGE, "{ \"data\": {\"a\": \"b\"} }");
    assertThat(file.completed(uri + "?a=1").get("requestObject"))
        .hasToString("{\"data\":{\"a\":\"b\"}}");
    server.patch(
        uri + "?fieldManager=f",
        RunningServer.APPLY,
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: patched}\n");
    assertThat(file.completed(uri + "?fieldManager=f").object("requestObject").string("kind"))
        .isEqualTo("ConfigMap");
    server.patch(uri + "?a=2", RunningServer.MERGE, "{ no json");
    assertThat(file.completed(uri + "?a=2").object("responseStatus").integer("code", 0))
        .isEqualTo(400);
  }

  @Test
  void aDeleteShowsItsOptionsAndItsStatus() {
    server.post("/api/v1/namespaces/default/configmaps", "{\"metadata\":{\"name\":\"gone\"}}");
    var uri = "/api/v1/namespaces/default/configmaps/gone";
    server.delete(uri, "{\"propagationPolicy\":\"Background\"}");
    var event = file.completed(uri);
    assertThat(event.object("requestObject").string("propagationPolicy")).isEqualTo("Background");
    assertThat(event.object("responseStatus").string("status")).isEqualTo("Success");
    assertThat(event.object("responseStatus", "details").string("name")).isEqualTo("gone");
    assertThat(event.object("responseStatus").integer("code", 0)).isEqualTo(200);
  }

  @Test
  void aFailureShowsTheBoundedPartsOfItsStatus() {
    var uri = "/api/v1/namespaces/default/pods/none";
    server.get(uri);
    assertThat(file.completed(uri).get("responseStatus"))
        .hasToString(
            "{\"metadata\":{},\"status\":\"Failure\",\"message\":\"pods \\\"none\\\" not found\","
                + "\"reason\":\"NotFound\",\"details\":{\"name\":\"none\",\"kind\":\"pods\"},"
                + "\"code\":404}");
  }

  @Test
  void secretsAndTokensNeverStandInTheLogAtMetadataLevel() {
    var uri = "/api/v1/namespaces/default/secrets";
    server.post(
        uri, "{\"metadata\":{\"name\":\"s\"},\"stringData\":{\"k\":\"very-secret-value\"}}");
    server.get(uri + "/s");
    server.get(uri + "?all");
    server.patch(uri + "/s", RunningServer.MERGE, "{\"stringData\":{\"k\":\"other-secret\"}}");
    server.post(
        "/api/v1/namespaces/default/serviceaccounts", "{\"metadata\":{\"name\":\"robot\"}}");
    var token =
        server
            .post("/api/v1/namespaces/default/serviceaccounts/robot/token", "{\"spec\":{}}")
            .object()
            .object("status")
            .string("token");
    assertThat(token).isNotEmpty();
    var issued = file.completed("/api/v1/namespaces/default/serviceaccounts/robot/token");
    assertThat(
            issued
                .object("annotations")
                .string("authentication.kubernetes.io/issued-credential-id"))
        .startsWith("JTI=");
    assertThat(file.completed(uri).object("objectRef").string("name")).isEqualTo("s");
    file.completed(uri + "/s");
    assertThat(file.text())
        .doesNotContain("very-secret-value")
        .doesNotContain("dmVyeS1zZWNyZXQtdmFsdWU")
        .doesNotContain("other-secret")
        .doesNotContain(token)
        .doesNotContain(RunningServer.TOKEN)
        .doesNotContainIgnoringCase("bearer");
  }

  @Test
  void aWatchHasAnEventWhenItStartsAndOneWhenItEnds() throws Exception {
    var uri = "/api/v1/namespaces/default/configmaps?watch=1";
    var opened = server.open(HttpClient.Version.HTTP_2, "GET", uri).get();
    assertThat(stages(file.about(uri, "ResponseStarted")))
        .containsExactly("RequestReceived", "ResponseStarted");
    opened.body().close();
    var events = file.about(uri, "ResponseComplete");
    assertThat(stages(events))
        .containsExactly("RequestReceived", "ResponseStarted", "ResponseComplete");
    assertThat(events.getLast().object("responseStatus").integer("code", 0)).isEqualTo(200);
    assertThat(events.getLast().has("responseObject")).isFalse();
  }

  @Test
  void whoCannotBeAuthenticatedHasOneEvent() {
    var uri = "/api/v1/namespaces/default/pods?unknown";
    var request =
        HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + server.port() + uri))
            .header("Authorization", "Bearer nonsense-token");
    assertThat(server.unauthenticated(request).code()).isEqualTo(401);
    var events = file.about(uri, "ResponseStarted");
    assertThat(stages(events)).containsExactly("ResponseStarted");
    assertThat(events.getFirst().get("user")).hasToString("{}");
    assertThat(events.getFirst().object("responseStatus").integer("code", 0)).isEqualTo(401);
    assertThat(file.text()).doesNotContain("nonsense-token");
  }

  @Test
  void whoActsAsSomebodyElseIsNamedWithHim() {
    var uri = "/api/v1/namespaces/default/pods?as=jane";
    server.send(
        HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + server.port() + uri))
            .header("Impersonate-User", "jane")
            .header("Impersonate-Group", "dev")
            .header("X-Forwarded-For", "203.0.113.7, nonsense, 2001:db8::1")
            .header("X-Real-Ip", "203.0.113.8")
            .header("User-Agent", "a".repeat(2000)));
    var event = file.completed(uri);
    assertThat(event.object("user").string("username")).isEqualTo("admin");
    assertThat(event.object("impersonatedUser").string("username")).isEqualTo("jane");
    assertThat(event.object("annotations").string("authorization.k8s.io/decision"))
        .isEqualTo("forbid");
    assertThat(event.object("responseStatus").integer("code", 0)).isEqualTo(403);
    assertThat(event.array("sourceIPs").strings())
        .containsExactly("203.0.113.7", "2001:db8::1", "203.0.113.8", "127.0.0.1");
    assertThat(event.string("userAgent")).hasSize(1024 + 12).endsWith("a...TRUNCATED");
  }

  @Test
  void admissionAndDeprecationAddAnnotations() {
    server.post(
        "/api/v1/namespaces",
        "{\"metadata\":{\"name\":\"careful\",\"labels\":"
            + "{\"pod-security.kubernetes.io/audit\":\"restricted\"}}}");
    var uri = "/api/v1/namespaces/careful/pods";
    server.post(
        uri,
        "{\"metadata\":{\"name\":\"p\"},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}");
    var annotations = file.completed(uri).object("annotations");
    assertThat(annotations.string("pod-security.kubernetes.io/enforce-policy"))
        .isEqualTo("privileged:latest");
    assertThat(annotations.string("pod-security.kubernetes.io/audit-violations"))
        .startsWith("would violate PodSecurity \"restricted:latest\": ");
    server.get("/api/v1/componentstatuses");
    assertThat(
            file.completed("/api/v1/componentstatuses")
                .object("annotations")
                .string("k8s.io/deprecated"))
        .isEqualTo("true");
  }

  @Test
  void whatThePolicyLeavesOutIsNotThere() {
    server.get("/readyz");
    server.get("/version");
    var version = file.completed("/version");
    assertThat(version.has("objectRef")).isFalse();
    assertThat(version.string("verb")).isEqualTo("get");
    assertThat(file.events()).noneMatch(event -> event.string("requestURI").equals("/readyz"));
    assertThat(server.metric("apiserver_audit_event_total")).isPositive();
    assertThat(server.metric("apiserver_audit_level_total{level=\"None\"}")).isPositive();
    assertThat(server.metric("apiserver_audit_level_total{level=\"Metadata\"}")).isPositive();
    assertThat(server.metric("apiserver_audit_requests_rejected_total")).isZero();
  }
}
