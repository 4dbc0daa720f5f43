package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.server.options.ApiServerOptions;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** FlowSchemas and priority levels decide who runs, who waits and who is sent away. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FairnessTest {
  private static final String FLOWS = "/apis/flowcontrol.apiserver.k8s.io/v1/";
  private static final String LEVELS = FLOWS + "prioritylevelconfigurations";
  private static final String SCHEMAS = FLOWS + "flowschemas";
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String SCHEMA_UID = "x-kubernetes-pf-flowschema-uid";
  private static final String LEVEL_UID = "x-kubernetes-pf-prioritylevel-uid";

  private final HeldStore store = new HeldStore();
  private final List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
  private RunningServer server;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    server = RunningServer.start(directory, store, options -> options);
    server.post(
        "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
        json(
            "{'metadata':{'name':'tenants'},'roleRef':{'apiGroup':'rbac.authorization.k8s.io',"
                + "'kind':'ClusterRole','name':'cluster-admin'},"
                + "'subjects':[{'kind':'Group','name':'tenants'}]}"));
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @AfterEach
  void answerAll() throws Exception {
    for (var one : sent) {
      while (!one.isDone()) {
        store.letGo();
        Awaitility.await().pollDelay(Duration.ofMillis(1)).until(() -> true);
      }
      one.get(20, TimeUnit.SECONDS);
    }
    sent.clear();
  }

  private static String json(String text) {
    return text.replace('\'', '"');
  }

  /** A level with one seat, and a schema that sends these users there. */
  private void level(String name, String response, String... users) {
    var made =
        server.post(
            LEVELS,
            json(
                "{'metadata':{'name':'%s'},'spec':{'type':'Limited','limited':{".formatted(name)
                    + "'nominalConcurrencyShares':0,'borrowingLimitPercent':0,'limitResponse':%s}}}"
                        .formatted(response)));
    assertThat(made.code()).as(made.text()).isEqualTo(201);
    schema(name, name, 50, users);
  }

  private void schema(String name, String level, int precedence, String... users) {
    var subjects = new ArrayList<String>();
    for (var user : users) {
      subjects.add("{'kind':'User','user':{'name':'%s'}}".formatted(user));
    }
    var made =
        server.post(
            SCHEMAS,
            json(
                "{'metadata':{'name':'%s'},'spec':{'matchingPrecedence':%d,"
                        .formatted(name, precedence)
                    + "'priorityLevelConfiguration':{'name':'%s'},".formatted(level)
                    + "'distinguisherMethod':{'type':'ByUser'},'rules':[{'subjects':%s,"
                        .formatted(subjects)
                    + "'resourceRules':[{'verbs':['*'],'apiGroups':['*'],'resources':['*'],"
                    + "'clusterScope':true,'namespaces':['*']}]}]}}"));
    assertThat(made.code()).as(made.text()).isEqualTo(201);
    assertThat(made.warnings()).isEmpty();
  }

  /** A write that stays under way until the store lets it go. */
  private CompletableFuture<HttpResponse<String>> hold(String user, String name) {
    var body = json("{'metadata':{'name':'held-%s'}}".formatted(name));
    sent.add(server.as(user, "POST", MAPS, body));
    return sent.getLast();
  }

  private HttpResponse<String> list(String user) throws Exception {
    return server.as(user, "GET", MAPS, "").get(20, TimeUnit.SECONDS);
  }

  private String uid(String path) {
    return server.get(path).object().object("metadata").string("uid");
  }

  private void await(String metric, double value) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertThat(server.metric(metric)).isEqualTo(value));
  }

  private static String metric(String name, String flow) {
    return "apiserver_flowcontrol_%s{flow_schema=\"%s\",priority_level=\"%s\"}"
        .formatted(name, flow, flow);
  }

  @Test
  void everyAnswerNamesTheSchemaAndTheLevelOfItsRequest() throws Exception {
    var listed = list("ann");
    assertThat(listed.headers().firstValue(SCHEMA_UID)).contains(uid(SCHEMAS + "/global-default"));
    assertThat(listed.headers().firstValue(LEVEL_UID)).contains(uid(LEVELS + "/global-default"));
    var path = server.exchange("GET", "/version", "*/*", "");
    assertThat(path.headers().firstValue(SCHEMA_UID)).contains(uid(SCHEMAS + "/exempt"));
    var missing = server.as("ann", "GET", MAPS + "/none", "").get(20, TimeUnit.SECONDS);
    assertThat(missing.statusCode()).isEqualTo(404);
    assertThat(missing.headers().firstValue(LEVEL_UID)).isPresent();
    var watch = server.as("ann", "GET", MAPS + "?watch=true&timeoutSeconds=1", "");
    assertThat(watch.get(20, TimeUnit.SECONDS).headers().firstValue(SCHEMA_UID)).isPresent();
  }

  @Test
  void whoFindsALevelFullThatRejectsIsSentAwayForAWhile() throws Exception {
    level("rejecting", "{'type':'Reject'}", "rob");
    var first = hold("rob", "rejected");
    await(metric("current_executing_requests", "rejecting"), 1);
    var refused = list("rob");
    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(refused.headers().firstValue("Retry-After")).contains("1");
    assertThat(refused.headers().firstValue("Content-Type")).contains("text/plain; charset=utf-8");
    assertThat(refused.headers().firstValue(SCHEMA_UID)).contains(uid(SCHEMAS + "/rejecting"));
    assertThat(refused.body()).isEqualTo("Too many requests, please try again later.\n");
    assertThat(list("somebody-else").statusCode()).isEqualTo(200);
    store.letGo();
    assertThat(first.get(20, TimeUnit.SECONDS).statusCode()).isEqualTo(201);
    await(metric("current_executing_requests", "rejecting"), 0);
    assertThat(list("rob").statusCode()).isEqualTo(200);
    assertThat(
            server.metric(
                "apiserver_flowcontrol_rejected_requests_total{flow_schema=\"rejecting\","
                    + "priority_level=\"rejecting\",reason=\"concurrency-limit\"}"))
        .isEqualTo(1);
  }

  @Test
  void aChangedSchemaIsInForceForTheNextRequest() throws Exception {
    level("changing", "{'type':'Reject'}", "nobody");
    for (int i = 0; i < 5; i++) {
      var before = list("cid");
      assertThat(before.headers().firstValue(SCHEMA_UID))
          .contains(uid(SCHEMAS + "/global-default"));
      schema("for-cid", "changing", 40, "cid");
      assertThat(list("cid").headers().firstValue(LEVEL_UID)).contains(uid(LEVELS + "/changing"));
      assertThat(server.delete(SCHEMAS + "/for-cid", "").code()).isEqualTo(200);
    }
  }

  @Test
  void aWatchGivesItsSeatBackWhenItHasBegun() throws Exception {
    level("watching", "{'type':'Reject'}", "wes");
    sent.add(server.as("wes", "GET", MAPS + "?watch=true&timeoutSeconds=3", ""));
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () ->
                server
                    .get("/metrics")
                    .text()
                    .lines()
                    .anyMatch(
                        line ->
                            line.startsWith(metric("dispatched_requests_total", "watching"))
                                && !line.endsWith(" 0.0")));
    assertThat(list("wes").statusCode()).isEqualTo(200);
  }

  @Test
  void theDebugPagesHaveKubeApiserversColumns() {
    var levels = server.get("/debug/api_priority_and_fairness/dump_priority_levels").text();
    assertThat(levels.lines().findFirst().orElseThrow())
        .startsWith("PriorityLevelName, ")
        .contains(" ActiveQueues, IsIdle, IsQuiescing, WaitingRequests, ExecutingRequests,")
        .endsWith(" DispatchedRequests, RejectedRequests, TimedoutRequests, CancelledRequests");
    assertThat(levels.lines().map(line -> line.split(",", -1)[0]))
        .contains("catch-all", "exempt", "global-default", "node-high", "workload-low");
    var queues = server.get("/debug/api_priority_and_fairness/dump_queues").text();
    assertThat(queues.lines().filter(line -> line.startsWith("global-default,"))).hasSize(128);
    var requests =
        server.get("/debug/api_priority_and_fairness/dump_requests?includeRequestDetails=1").text();
    assertThat(requests.lines().map(line -> line.replaceAll(", +", ",")))
        .anyMatch(line -> line.startsWith("PriorityLevelName,FlowSchemaName,QueueIndex,"))
        .anyMatch(
            line ->
                line.startsWith("exempt,exempt,-1,-1,,")
                    && line.contains(",admin,get,/debug/api_priority_and_fairness/dump_requests,"));
    assertThat(server.get("/").text()).doesNotContain("debug");
  }

  @Test
  void metricsHaveKubeApiserversNames() throws Exception {
    list("ann");
    var text = server.get("/metrics").text();
    for (var name :
        List.of(
            "current_executing_requests",
            "current_limit_seats",
            "current_r",
            "demand_seats_bucket",
            "dispatched_requests_total",
            "lower_limit_seats",
            "next_discounted_s_bounds",
            "nominal_limit_seats",
            "priority_level_request_utilization_bucket",
            "priority_level_seat_utilization_bucket",
            "read_vs_write_current_requests_bucket",
            "request_execution_seconds_bucket",
            "request_queue_length_after_enqueue_bucket",
            "request_wait_duration_seconds_bucket",
            "seat_fair_frac",
            "work_estimated_seats_bucket")) {
      assertThat(text).contains("\napiserver_flowcontrol_" + name);
    }
    assertThat(
            server.metric(
                "apiserver_flowcontrol_nominal_limit_seats{priority_level=\"node-high\"}"))
        .isBetween(50.0, 98.0);
  }

  @Test
  void aSchemaWithoutItsLevelSaysSoAndDecidesNothing() throws Exception {
    schema("lost", "later", 45, "lou");
    assertThat(list("lou").headers().firstValue(SCHEMA_UID))
        .contains(uid(SCHEMAS + "/global-default"));
    awaitDangling("lost", "True");
    server.post(
        LEVELS,
        json(
            "{'metadata':{'name':'later'},'spec':{'type':'Limited','limited':{"
                + "'limitResponse':{'type':'Reject'}}}}"));
    awaitDangling("lost", "False");
    assertThat(list("lou").headers().firstValue(SCHEMA_UID)).contains(uid(SCHEMAS + "/lost"));
  }

  private void awaitDangling(String schema, String status) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () ->
                server
                    .get(SCHEMAS + "/" + schema)
                    .object()
                    .object("status")
                    .array("conditions")
                    .objects()
                    .stream()
                    .anyMatch(
                        one ->
                            one.string("type").equals("Dangling")
                                && one.string("status").equals(status)));
  }

  @Test
  void withoutPriorityAndFairnessNoAnswerSpeaksOfIt(@TempDir Path directory) throws Exception {
    try (var plain = RunningServer.start(directory, FairnessTest::unfair)) {
      var answer = plain.exchange("GET", "/api/v1/namespaces", "*/*", "");
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.headers().map()).doesNotContainKeys(SCHEMA_UID, LEVEL_UID);
      assertThat(plain.get("/debug/api_priority_and_fairness/dump_queues").code()).isEqualTo(404);
      assertThat(plain.get("/metrics").text()).doesNotContain("apiserver_flowcontrol_");
    }
  }

  private static ApiServerOptions unfair(ApiServerOptions options) {
    return options.withRequests(options.requests().withPriorityAndFairness(false));
  }
}
