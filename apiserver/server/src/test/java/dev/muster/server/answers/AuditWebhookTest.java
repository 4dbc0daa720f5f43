package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonObject;
import dev.muster.server.options.ApiServerOptions;
import dev.muster.server.options.AuditOptions;
import dev.muster.server.options.audit.AuditLogOptions;
import dev.muster.server.options.audit.AuditMode;
import dev.muster.server.options.audit.AuditWebhookOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Audit events for another server, which may be slow, wrong or gone. */
class AuditWebhookTest {
  private static final String POLICY =
      "rules: [{level: None, nonResourceURLs: [/metrics]}, {level: Request}]";
  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

  @TempDir Path directory;
  private EventReceiver receiver;

  @BeforeEach
  void receive() throws Exception {
    receiver = new EventReceiver();
  }

  @AfterEach
  void stop() {
    receiver.close();
  }

  private UnaryOperator<ApiServerOptions> told(AuditMode mode, int buffer, boolean truncate) {
    return options ->
        options.withAudit(
            new AuditOptions(
                AuditFile.policyFile(directory.resolve("policy.yaml"), POLICY),
                AuditLogOptions.defaults(),
                webhook(mode, buffer, truncate)));
  }

  private AuditWebhookOptions webhook(AuditMode mode, int buffer, boolean truncate) {
    try {
      return new AuditWebhookOptions(
          receiver.kubeconfig(directory),
          "audit.k8s.io/v1",
          Duration.ofMillis(10),
          null,
          mode,
          buffer,
          10,
          Duration.ofMillis(50),
          true,
          1000,
          1000,
          truncate,
          40_000,
          20_000);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private JsonObject completed(String uri) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> receiver.events().stream().anyMatch(event -> isEnd(event, uri)));
    return receiver.events().stream().filter(event -> isEnd(event, uri)).findFirst().orElseThrow();
  }

  private static boolean isEnd(JsonObject event, String uri) {
    return event.string("requestURI").equals(uri)
        && event.string("stage").equals("ResponseComplete");
  }

  @Test
  void eventsArePostedTogetherAsAnEventList() throws Exception {
    try (var server = RunningServer.start(directory, told(AuditMode.BATCH, 1000, false))) {
      for (int i = 0; i < 30; i++) {
        server.get("/version?" + i);
      }
      completed("/version?29");
    }
    var list = receiver.lists.getFirst();
    assertThat(list.keys()).containsExactly("kind", "apiVersion", "metadata", "items");
    assertThat(list.string("kind")).isEqualTo("EventList");
    assertThat(list.string("apiVersion")).isEqualTo("audit.k8s.io/v1");
    assertThat(list.array("items").object(0).key(0)).isEqualTo("level");
    assertThat(receiver.lists).allMatch(one -> one.array("items").size() <= 10);
    assertThat(receiver.requests)
        .containsOnly("POST /events?timeout=30s Bearer " + EventReceiver.TOKEN);
    assertThat(receiver.events()).hasSize(60);
  }

  @Test
  void whatFailsIsPostedAgain() throws Exception {
    receiver.failing.set(3);
    try (var server = RunningServer.start(directory, told(AuditMode.BATCH, 1000, false))) {
      server.get("/version");
      completed("/version");
      assertThat(server.get("/metrics").text())
          .doesNotContain("apiserver_audit_error_total{plugin=\"webhook\"}");
    }
    assertThat(receiver.requests).hasSizeGreaterThanOrEqualTo(4);
  }

  @Test
  void aSlowWebhookHoldsUpNobodyAndWhatFindsNoRoomIsCounted() throws Exception {
    receiver.open = new CountDownLatch(1);
    try (var server = RunningServer.start(directory, told(AuditMode.BATCH, 5, false))) {
      for (int i = 0; i < 300; i++) {
        assertThat(server.get("/version").code()).isEqualTo(200);
      }
      assertThat(server.metric("apiserver_audit_error_total{plugin=\"buffered\"}")).isPositive();
      receiver.open.countDown();
    }
  }

  @Test
  void inBlockingModeAnswersWaitForTheirEvents() throws Exception {
    try (var server = RunningServer.start(directory, told(AuditMode.BLOCKING, 5, false))) {
      assertThat(server.get("/version").code()).isEqualTo(200);
      assertThat(receiver.events()).filteredOn(event -> isEnd(event, "/version")).hasSize(1);
      receiver.open = new CountDownLatch(1);
      var held = CompletableFuture.supplyAsync(() -> server.get("/version?held"));
      assertThat(server.get("/metrics").code()).isEqualTo(200);
      assertThat(held).isNotDone();
      receiver.open.countDown();
      assertThat(held.join().code()).isEqualTo(200);
    }
  }

  @Test
  void inBlockingModeAnErrorStopsNobody() throws Exception {
    try (var server = RunningServer.start(directory, told(AuditMode.BLOCKING, 5, false))) {
      receiver.failing.set(Integer.MAX_VALUE);
      assertThat(server.get("/version").code()).isEqualTo(200);
      assertThat(server.metric("apiserver_audit_error_total{plugin=\"webhook\"}")).isPositive();
    }
  }

  @Test
  void inStrictModeARequestThatCannotBeToldIsRefused() throws Exception {
    try (var server = RunningServer.start(directory, told(AuditMode.BLOCKING_STRICT, 5, false))) {
      receiver.failing.set(Integer.MAX_VALUE);
      var refused = server.post(CONFIG_MAPS + "?a=1&b=2", "{\"metadata\":{\"name\":\"x\"}}");
      assertThat(refused.code()).isEqualTo(500);
      assertThat(refused.text())
          .isEqualTo(
              "Internal Server Error: \"/api/v1/namespaces/default/configmaps?a=1&amp;b=2\":"
                  + " failed to store audit event\n");
      assertThat(server.metric("apiserver_audit_requests_rejected_total")).isEqualTo(1);
      receiver.failing.set(0);
      assertThat(server.get(CONFIG_MAPS + "/x").code()).isEqualTo(404);
    }
  }

  @Test
  void largeEventsLoseTheirObjectsAndSaySo() throws Exception {
    try (var server = RunningServer.start(directory, told(AuditMode.BATCH, 1000, true))) {
      server.post(
          CONFIG_MAPS,
          "{\"metadata\":{\"name\":\"large\"},\"data\":{\"k\":\"%s\"}}"
              .formatted("v".repeat(30_000)));
      var event = completed(CONFIG_MAPS);
      assertThat(event.has("requestObject")).isFalse();
      assertThat(event.object("annotations").string("audit.k8s.io/truncated")).isEqualTo("true");
      server.get("/version?" + "q".repeat(25_000));
      Awaitility.await()
          .atMost(Duration.ofSeconds(20))
          .until(
              () ->
                  server
                      .get("/metrics")
                      .text()
                      .contains("apiserver_audit_error_total{plugin=\"truncate\"}"));
    }
  }
}
