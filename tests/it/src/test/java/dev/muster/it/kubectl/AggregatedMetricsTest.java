package dev.muster.it.kubectl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import dev.muster.it.Kubectl;
import dev.muster.it.ServerInProcess;
import dev.muster.pki.Authority;
import dev.muster.pki.CertificateNames;
import dev.muster.pki.Pem;
import dev.muster.testing.TestTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What kubectl does with a server of metrics behind the API server. */
class AggregatedMetricsTest {
  private static final Duration DAY = Duration.ofDays(1);
  private static final String ROOT = "/apis/metrics.k8s.io/v1beta1";
  private static final String RESOURCES =
      """
      {"kind":"APIResourceList","apiVersion":"v1","groupVersion":"metrics.k8s.io/v1beta1",
       "resources":[
        {"name":"nodes","singularName":"","namespaced":false,"kind":"NodeMetrics",
         "verbs":["get","list"]},
        {"name":"pods","singularName":"","namespaced":true,"kind":"PodMetrics",
         "verbs":["get","list"]}]}
      """;
  private static final String NODES =
      """
      {"kind":"NodeMetricsList","apiVersion":"metrics.k8s.io/v1beta1","metadata":{},"items":[
       {"metadata":{"name":"worker","creationTimestamp":"2026-01-01T00:00:00Z"},
        "timestamp":"2026-01-01T00:00:00Z","window":"10s",
        "usage":{"cpu":"500m","memory":"1Gi"}}]}
      """;
  private static final String PODS =
      """
      {"kind":"PodMetricsList","apiVersion":"metrics.k8s.io/v1beta1","metadata":{},"items":[
       {"metadata":{"name":"web","namespace":"default"},
        "timestamp":"2026-01-01T00:00:00Z","window":"10s",
        "containers":[{"name":"c","usage":{"cpu":"250m","memory":"64Mi"}}]}]}
      """;

  @TempDir private static Path folder;
  private static ServerInProcess server;
  private static Kubectl kubectl;
  private static HttpsServer metrics;

  @BeforeAll
  static void start() throws Exception {
    var authority = Authority.create("metrics-ca", Instant.now(), DAY);
    metrics = metricsServer(authority);
    server = ServerInProcess.start(folder);
    kubectl = Kubectl.of(server.kubeconfig());
    var bundle =
        Base64.getEncoder()
            .encodeToString(Pem.of(authority.certificate()).getBytes(StandardCharsets.UTF_8));
    apply(
        """
        apiVersion: v1
        kind: Service
        metadata: {name: metrics-server, namespace: kube-system}
        spec: {type: ExternalName, externalName: localhost}
        ---
        apiVersion: apiregistration.k8s.io/v1
        kind: APIService
        metadata: {name: v1beta1.metrics.k8s.io}
        spec:
          group: metrics.k8s.io
          version: v1beta1
          groupPriorityMinimum: 100
          versionPriority: 100
          caBundle: %s
          service: {name: metrics-server, namespace: kube-system, port: %d}
        ---
        apiVersion: v1
        kind: Node
        metadata: {name: worker}
        status:
          capacity: {cpu: "2", memory: 4Gi}
          allocatable: {cpu: "2", memory: 4Gi}
        """
            .formatted(bundle, metrics.getAddress().getPort()));
  }

  @AfterAll
  static void stop() {
    server.close();
    metrics.stop(0);
  }

  private static void apply(String yaml) {
    var applied = kubectl.runWithInput(yaml, "apply", "-f", "-");
    assertThat(applied.code()).as(applied.err()).isZero();
    assertThat(applied.err()).doesNotContain("not in force");
  }

  private static HttpsServer metricsServer(Authority authority) throws Exception {
    var identity =
        authority.server(
            "metrics",
            CertificateNames.of(List.of("metrics-server.kube-system.svc"), List.of()),
            Instant.now(),
            DAY);
    var tls = TestTls.showing(identity.key(), identity.chain());
    var made = HttpsServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
    made.setHttpsConfigurator(
        new HttpsConfigurator(tls) {
          @Override
          public void configure(HttpsParameters parameters) {
            parameters.setSSLParameters(tls.getDefaultSSLParameters());
          }
        });
    made.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    made.createContext("/", AggregatedMetricsTest::answer);
    made.start();
    return made;
  }

  private static void answer(HttpExchange exchange) throws IOException {
    var path = exchange.getRequestURI().getPath();
    var body =
        switch (path) {
          case ROOT -> RESOURCES;
          case ROOT + "/nodes" -> NODES;
          case ROOT + "/namespaces/default/pods" -> PODS;
          default -> "";
        };
    var bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("content-type", "application/json");
    exchange.sendResponseHeaders(body.isEmpty() ? 404 : 200, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private static void awaitAvailable() {
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                kubectl.run("get", "apiservice", "v1beta1.metrics.k8s.io").out().contains("True"));
  }

  @Test
  void topShowsWhatTheServerBehindMeasured() {
    awaitAvailable();
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> {
              var nodes = kubectl.run("top", "nodes");
              assertThat(nodes.out()).as(nodes.err()).contains("worker", "500m", "1024Mi");
            });
    var pods = kubectl.run("top", "pods", "-n", "default");
    assertThat(pods.out()).as(pods.err()).contains("web", "250m", "64Mi");
  }

  @Test
  void rawRequestsAndResourcesAreThoseOfTheServerBehind() {
    awaitAvailable();
    assertThat(kubectl.run("get", "--raw", ROOT + "/nodes").out()).isEqualTo(NODES);
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(
                        kubectl
                            .run("api-resources", "--api-group=metrics.k8s.io", "--cached=false")
                            .out())
                    .contains("metrics.k8s.io/v1beta1", "NodeMetrics", "PodMetrics"));
  }
}
