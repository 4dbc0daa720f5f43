package dev.muster.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.User;
import dev.muster.model.json.JsonObject;
import dev.muster.wire.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Events in bytes, as kube-apiserver writes them. */
class EventJsonTest {
  private static final long TIME = 1_767_323_045_000_600L;

  private static AuditEvent event(@Nullable User user, @Nullable AuditedReference object) {
    var request =
        new AuditedRequest(
            "id", "/api?a=<b>", "get", user, List.of("10.0.0.1", "::1"), "agent/1", TIME);
    return new AuditEvent(
        AuditLevel.METADATA,
        AuditStage.RESPONSE_COMPLETE,
        request,
        null,
        "",
        object,
        AuditStatus.of(200),
        null,
        null,
        TIME + 1,
        new TreeMap<>(Map.of("b", "2", "a", "")));
  }

  private static String written(AuditEvent event) {
    var out = new Bytes(16);
    new EventJson(out).document(event);
    return new String(out.toArray(), StandardCharsets.UTF_8);
  }

  @Test
  void writesTheFieldsInOrder() {
    var user = new User("jane", "7", List.of("dev"), Map.of("z", List.of("1"), "k", List.of()));
    var object = new AuditedReference("pods", "default", "p", "u", "apps", "v1", "12", "status");
    assertThat(written(event(user, object)))
        .isEqualTo(
            "{\"kind\":\"Event\",\"apiVersion\":\"audit.k8s.io/v1\",\"level\":\"Metadata\","
                + "\"auditID\":\"id\",\"stage\":\"ResponseComplete\","
                + "\"requestURI\":\"/api?a=\\u003cb\\u003e\",\"verb\":\"get\","
                + "\"user\":{\"username\":\"jane\",\"uid\":\"7\",\"groups\":[\"dev\"],"
                + "\"extra\":{\"k\":[],\"z\":[\"1\"]}},"
                + "\"sourceIPs\":[\"10.0.0.1\",\"::1\"],\"userAgent\":\"agent/1\","
                + "\"objectRef\":{\"resource\":\"pods\",\"namespace\":\"default\",\"name\":\"p\","
                + "\"uid\":\"u\",\"apiGroup\":\"apps\",\"apiVersion\":\"v1\","
                + "\"resourceVersion\":\"12\",\"subresource\":\"status\"},"
                + "\"responseStatus\":{\"metadata\":{},\"code\":200},"
                + "\"requestReceivedTimestamp\":\"2026-01-02T03:04:05.000600Z\","
                + "\"stageTimestamp\":\"2026-01-02T03:04:05.000601Z\","
                + "\"annotations\":{\"a\":\"\",\"b\":\"2\"}}");
  }

  @Test
  void leavesOutWhatIsNotKnown() {
    assertThat(written(event(null, null)))
        .contains("\"user\":{},\"sourceIPs\"")
        .doesNotContain("objectRef")
        .doesNotContain("impersonatedUser")
        .doesNotContain("requestObject");
  }

  @Test
  void namesWhoIsImpersonatedAndByWhichConstraint() {
    var plain = event(User.of("admin"), null);
    var event =
        new AuditEvent(
            plain.level(),
            plain.stage(),
            plain.request(),
            User.of("jane"),
            "impersonate:user-info",
            null,
            AuditStatus.of(403, JsonObject.of("status", "Failure", "kind", "Status")),
            new AuditedObject(2, () -> new byte[] {'{', '}'}),
            null,
            TIME,
            Map.of());
    assertThat(written(event))
        .contains(
            "\"impersonatedUser\":{\"username\":\"jane\"},\"authenticationMetadata\":"
                + "{\"impersonationConstraint\":\"impersonate:user-info\"},\"sourceIPs\"")
        .contains("\"responseStatus\":{\"metadata\":{},\"status\":\"Failure\",\"code\":403}")
        .contains("\"requestObject\":{},\"requestReceivedTimestamp\"")
        .endsWith("Z\"}");
    var truncated = event.truncated();
    assertThat(truncated.requestObject()).isNull();
    assertThat(written(truncated))
        .endsWith("\"annotations\":{\"audit.k8s.io/truncated\":\"true\"}}");
  }

  @Test
  void theLegacyFormatIsALineOfText() {
    assertThat(EventText.of(event(User.of("jane", "dev"), null)))
        .isEqualTo(
            "2026-01-02T03:04:05.0006Z AUDIT: id=\"id\" stage=\"ResponseComplete\" ip=\"10.0.0.1\""
                + " method=\"get\" user=\"jane\" groups=\"\\\"dev\\\"\" as=\"<self>\""
                + " asgroups=\"<lookup>\" user-agent=\"agent/1\" namespace=\"<none>\""
                + " uri=\"/api?a=<b>\" response=\"200\"");
    assertThat(EventText.of(event(null, null))).contains("user=\"<none>\" groups=\"<none>\"");
  }
}
