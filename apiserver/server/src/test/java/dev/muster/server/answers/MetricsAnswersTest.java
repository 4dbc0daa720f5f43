package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The names and labels that dashboards and alerts for kube-apiserver look for. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MetricsAnswersTest {
  private RunningServer server;
  private String maps;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    server = RunningServer.start(directory);
    maps = "/api/v1/namespaces/" + server.namespace() + "/configmaps";
    server.post(maps, "{\"metadata\":{\"name\":\"a\"}}");
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private List<String> scraped(String name) {
    var text = new String(server.get("/metrics").body(), StandardCharsets.UTF_8);
    return text.lines().filter(line -> line.matches(name + "[{ ].*")).toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "apiserver_current_inflight_requests",
        "apiserver_current_inqueue_requests",
        "apiserver_request_body_size_bytes_bucket",
        "apiserver_request_duration_seconds_bucket",
        "apiserver_request_filter_duration_seconds_bucket",
        "apiserver_request_sli_duration_seconds_bucket",
        "apiserver_request_total",
        "apiserver_resource_objects",
        "apiserver_response_sizes_bucket",
        "apiserver_storage_objects",
        "apiserver_tls_handshake_errors_total",
        "authorization_attempts_total",
        "authorization_duration_seconds_bucket",
        "etcd_request_duration_seconds_bucket",
        "etcd_requests_total",
        "kubernetes_build_info",
        "kubernetes_feature_enabled",
        "kubernetes_healthcheck",
        "pod_security_evaluations_total",
        "pod_security_exemptions_total",
        "process_cpu_seconds_total",
        "process_max_fds",
        "process_open_fds",
        "process_resident_memory_bytes",
        "process_start_time_seconds",
        "process_virtual_memory_bytes",
        "serviceaccount_invalid_legacy_auto_token_uses_total",
        "serviceaccount_legacy_auto_token_uses_total",
        "serviceaccount_legacy_manual_token_uses_total",
        "serviceaccount_legacy_tokens_total",
        "serviceaccount_stale_tokens_total",
        "serviceaccount_valid_tokens_total",
      })
  void hasTheNamesThatDashboardsLookFor(String name) {
    server.get(maps);
    assertThat(scraped(name)).isNotEmpty();
  }

  @Test
  void healthIsToldAloneAndCounted() {
    server.get("/readyz");
    server.get("/livez/ping");
    var answer = server.get("/metrics/slis");
    assertThat(answer.code()).isEqualTo(200);
    assertThat(answer.text().lines())
        .anyMatch(line -> line.matches("kubernetes_healthcheck.name=\"ping\",type=\"livez\". 1.*"))
        .anyMatch(counted("ping", "readyz"))
        .anyMatch(counted("ping", "livez"))
        .allMatch(line -> line.startsWith("#") || line.startsWith("kubernetes_healthcheck"));
  }

  private static Predicate<String> counted(String check, String type) {
    return line ->
        line.startsWith("kubernetes_healthchecks_total{")
            && has("name=\"" + check + "\"", "status=\"success\"", "type=\"" + type + "\"")
                .test(line);
  }

  @Test
  void aRequestIsAllowedOrNotOnce() throws Exception {
    double before = refusals();
    assertThat(server.as("jane", "GET", maps, "").get().statusCode()).isEqualTo(403);
    assertThat(refusals()).isEqualTo(before + 1);
  }

  private double refusals() {
    return sum("authorization_attempts_total", "no-opinion");
  }

  private double sum(String name, String... labels) {
    return scraped(name).stream()
        .filter(has(labels))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }

  @Test
  void requestsAreLabelledByWhatTheyDo() {
    server.patch(maps + "/a?fieldManager=m", "application/apply-patch+yaml", "{data: {b: c}}");
    server.patch(maps + "/a", "application/merge-patch+json", "{\"data\":{\"b\":\"d\"}}");
    server.delete(maps, "");
    server.get("/readyz");
    assertThat(scraped("apiserver_request_total"))
        .anyMatch(has("verb=\"POST\"", "resource=\"configmaps\"", "scope=\"resource\""))
        .anyMatch(has("verb=\"APPLY\"", "resource=\"configmaps\"", "scope=\"resource\""))
        .anyMatch(has("verb=\"PATCH\"", "resource=\"configmaps\"", "code=\"200\""))
        .anyMatch(has("verb=\"DELETE\"", "resource=\"configmaps\"", "scope=\"namespace\""))
        .anyMatch(has("verb=\"GET\"", "subresource=\"/readyz\"", "resource=\"\""));
  }

  /** What kubernetes-mixin's rules and panels about API servers select and group by. */
  @ParameterizedTest
  @CsvSource({
    "aggregator_unavailable_apiservice, name",
    "apiserver_request_sli_duration_seconds_bucket, verb scope resource subresource le",
    "apiserver_request_sli_duration_seconds_count, verb scope resource subresource",
    "apiserver_request_terminations_total, code verb",
    "apiserver_request_total, verb code resource",
    "kubernetes_build_info, git_version",
    "process_cpu_seconds_total, ''",
    "process_resident_memory_bytes, ''",
  })
  void hasTheLabelsThatRulesSelectBy(String name, String labels) {
    server.post(maps, "{\"metadata\":{\"name\":\"selected\"}}");
    server.get(maps + "?resourceVersion=999999999&timeout=1s");
    await()
        .untilAsserted(
            () ->
                assertThat(scraped(name))
                    .anySatisfy(
                        line ->
                            assertThat(labels.split(" "))
                                .allSatisfy(
                                    label ->
                                        assertThat(line)
                                            .contains(label.isEmpty() ? "" : label + "=\""))));
  }

  @Test
  void objectivesFindTheBucketsThatTheyCountWith() {
    server.get(maps);
    for (var bound : new String[] {"1.0", "5.0", "30.0"}) {
      assertThat(scraped("apiserver_request_sli_duration_seconds_bucket"))
          .anyMatch(has("verb=\"LIST\"", "scope=\"namespace\"", "le=\"" + bound + "\""));
    }
  }

  @Test
  void writesToTheStoreAreTimedByWhatTheyDo() {
    server.post(maps, "{\"metadata\":{\"name\":\"timed\"}}");
    server.put(maps + "/timed", "{\"metadata\":{\"name\":\"timed\"},\"data\":{\"a\":\"b\"}}");
    server.delete(maps + "/timed", "");
    for (var operation : new String[] {"create", "update", "delete"}) {
      assertThat(scraped("etcd_request_duration_seconds_count"))
          .anyMatch(
              has("operation=\"" + operation + "\"", "group=\"\"", "resource=\"configmaps\""));
    }
  }

  @Test
  void clusterIpsAreCountedByRange() {
    var taken = "kube_apiserver_clusterip_allocator_allocated_ips";
    var free = "kube_apiserver_clusterip_allocator_available_ips";
    double takenBefore = sum(taken, "cidr=");
    double freeBefore = sum(free, "cidr=");
    var made =
        server.post(
            maps.replace("configmaps", "services"),
            "{\"metadata\":{\"name\":\"s\"},\"spec\":{\"ports\":[{\"port\":80}]}}");
    assertThat(made.code()).isEqualTo(201);
    assertThat(sum(taken, "cidr=")).isEqualTo(takenBefore + 1);
    assertThat(sum(free, "cidr=")).isEqualTo(freeBefore - 1);
  }

  @Test
  void countsOfNeighboursAreToldWithTheServers() {
    var registry = new PrometheusRegistry();
    Counter.builder().name("beside_total").help("Of a neighbour.").register(registry).inc(7);
    Counter.builder().name("etcd_requests_total").help("Twice.").register(registry).inc(7);
    server.server().neighbours().add(registry);
    assertThat(scraped("beside_total")).containsExactly("beside_total 7.0");
    assertThat(scraped("etcd_requests_total")).isNotEmpty().allMatch(line -> line.contains("{"));
  }

  @Test
  void bodiesAreMeasuredByWhatTheyChange() {
    var sum = "apiserver_request_body_size_bytes_sum";
    double before = sum(sum, "resource=\"configmaps\"", "verb=\"create\"");
    var body = "{\"metadata\":{\"name\":\"measured\"}}";
    server.post(maps, body);
    assertThat(sum(sum, "resource=\"configmaps\"", "verb=\"create\""))
        .isEqualTo(before + body.length());
    server.delete(maps + "?labelSelector=a%3Db", "{}");
    assertThat(scraped("apiserver_request_body_size_bytes_count"))
        .anyMatch(has("group=\"\"", "resource=\"configmaps\"", "verb=\"delete_collection\""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"authentication", "authorization", "priorityandfairness"})
  void everyRequestPassesEveryFilterOnce(String filter) {
    var count = "apiserver_request_filter_duration_seconds_count";
    double before = sum(count, "filter=\"" + filter + "\"");
    server.get(maps);
    assertThat(sum(count, "filter=\"" + filter + "\""))
        .as("this one and the scrape")
        .isEqualTo(before + 2);
  }

  @Test
  void objectsThatWatchesBeginWithAreCounted() {
    server.post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"watched\"}}");
    var secrets = "/api/v1/namespaces/watched/secrets";
    server.post(secrets, "{\"metadata\":{\"name\":\"a\"}}");
    server.post(secrets, "{\"metadata\":{\"name\":\"b\"}}");
    double before = sum("apiserver_init_events_total", "resource=\"secrets\"");
    server.get(secrets + "?watch=1&timeoutSeconds=1");
    assertThat(sum("apiserver_init_events_total", "resource=\"secrets\"")).isEqualTo(before + 2);
  }

  @Test
  void eventsOfWatchesAreCountedAndMeasured() {
    server.post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"followed\"}}");
    var secrets = "/api/v1/namespaces/followed/secrets";
    server.post(secrets, "{\"metadata\":{\"name\":\"a\"}}");
    server.post(
        secrets,
        "{\"metadata\":{\"name\":\"b\"},\"stringData\":{\"k\":\"" + "x".repeat(3000) + "\"}}");
    double before = sum("apiserver_watch_events_total", "resource=\"secrets\"");
    double small =
        sum("apiserver_watch_events_sizes_bucket", "le=\"1024.0\"", "resource=\"secrets\"");
    double all = sum("apiserver_watch_events_sizes_count", "resource=\"secrets\"");
    server.get(secrets + "?watch=1&timeoutSeconds=1");
    assertThat(sum("apiserver_watch_events_total", "resource=\"secrets\"")).isEqualTo(before + 2);
    assertThat(sum("apiserver_watch_events_sizes_count", "resource=\"secrets\""))
        .isEqualTo(all + 2);
    assertThat(sum("apiserver_watch_events_sizes_bucket", "le=\"1024.0\"", "resource=\"secrets\""))
        .isEqualTo(small + 1);
  }

  @Test
  void podsAreCountedByTheStandardTheyAreHeldAgainst() {
    server.post(
        "/api/v1/namespaces",
        "{\"metadata\":{\"name\":\"strict\",\"labels\":"
            + "{\"pod-security.kubernetes.io/enforce\":\"baseline\"}}}");
    server.post(
        "/api/v1/namespaces/strict/serviceaccounts", "{\"metadata\":{\"name\":\"default\"}}");
    server.post(
        "/api/v1/namespaces/strict/pods",
        "{\"metadata\":{\"name\":\"p\"},\"spec\":{\"hostNetwork\":true,"
            + "\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}");
    assertThat(scraped("pod_security_evaluations_total"))
        .anyMatch(
            has(
                "decision=\"deny\"",
                "policy_level=\"baseline\"",
                "policy_version=\"latest\"",
                "mode=\"enforce\"",
                "request_operation=\"create\"",
                "resource=\"pod\""));
  }

  private static Predicate<String> has(String... labels) {
    return line -> List.of(labels).stream().allMatch(line::contains);
  }

  @Test
  void openWatchesAreCountedUntilTheyEnd() {
    server.get(maps + "?watch=1&timeoutSeconds=1");
    await()
        .untilAsserted(
            () ->
                assertThat(scraped("apiserver_longrunning_requests"))
                    .anyMatch(has("verb=\"WATCH\"", "resource=\"configmaps\"", "} 0")));
  }

  @Test
  void onlyTheScrapeIsInFlightWhenNothingElseIs() {
    assertThat(scraped("apiserver_current_inflight_requests"))
        .anyMatch(has("request_kind=\"readOnly\"", "} 1"))
        .anyMatch(has("request_kind=\"mutating\"", "} 0"));
  }

  @Test
  void deprecatedResourcesThatSomebodyAsksForAreTold() {
    server.get("/api/v1/componentstatuses");
    assertThat(scraped("apiserver_requested_deprecated_apis"))
        .anyMatch(has("resource=\"componentstatuses\"", "version=\"v1\"", "} 1"));
  }
}
