package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests that wait for seats of a level with queues. */
@Tag("slow")
class WaitingTest {
  private static final String FLOWS = "/apis/flowcontrol.apiserver.k8s.io/v1/";
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";

  private final HeldStore store = new HeldStore();
  private final List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
  private RunningServer server;

  @BeforeEach
  void start(@TempDir Path directory) throws Exception {
    server =
        RunningServer.start(
            directory,
            store,
            options ->
                options.withRequests(
                    options.requests().withSeats(40).withTimeout(Duration.ofSeconds(20))));
    server.post(
        "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
        json(
            "{'metadata':{'name':'tenants'},'roleRef':{'apiGroup':'rbac.authorization.k8s.io',"
                + "'kind':'ClusterRole','name':'cluster-admin'},"
                + "'subjects':[{'kind':'Group','name':'tenants'}]}"));
    // About two of forty seats, which nobody lends and nobody borrows.
    server.post(
        FLOWS + "prioritylevelconfigurations",
        json(
            "{'metadata':{'name':'narrow'},'spec':{'type':'Limited','limited':{"
                + "'nominalConcurrencyShares':10,'borrowingLimitPercent':0,"
                + "'limitResponse':{'type':'Queue','queuing':"
                + "{'queues':64,'handSize':1,'queueLengthLimit':4}}}}}"));
    server.post(
        FLOWS + "flowschemas",
        json(
            "{'metadata':{'name':'narrow'},'spec':{'matchingPrecedence':50,"
                + "'priorityLevelConfiguration':{'name':'narrow'},"
                + "'distinguisherMethod':{'type':'ByUser'},'rules':[{'subjects':["
                + "{'kind':'Group','group':{'name':'tenants'}}],"
                + "'resourceRules':[{'verbs':['*'],'apiGroups':['*'],'resources':['*'],"
                + "'clusterScope':true,'namespaces':['*']}]}]}}"));
  }

  @AfterEach
  void stop() {
    store.letGo();
    server.close();
  }

  private static String json(String text) {
    return text.replace('\'', '"');
  }

  private static String metric(String name) {
    return "apiserver_flowcontrol_%s{flow_schema=\"narrow\",priority_level=\"narrow\"}"
        .formatted(name);
  }

  private int seats() {
    return (int)
        server.metric("apiserver_flowcontrol_current_limit_seats{priority_level=\"narrow\"}");
  }

  /** So many writes that stay under way or wait. */
  private void hold(String user, int count) {
    for (int i = 0; i < count; i++) {
      var name = "held-" + user + "-" + sent.size();
      sent.add(server.as(user, "POST", MAPS, json("{'metadata':{'name':'%s'}}".formatted(name))));
    }
  }

  private void await(String metric, double value) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(15))
        .untilAsserted(() -> assertThat(server.metric(metric)).isEqualTo(value));
  }

  @Test
  void aFloodOfOneUserFillsItsQueueAndAnotherComesNext() throws Exception {
    int seats = seats();
    hold("loud", seats + 4);
    await(metric("current_inqueue_requests"), 4);
    var tooMany = server.as("loud", "GET", MAPS, "").get(15, TimeUnit.SECONDS);
    assertThat(tooMany.statusCode()).isEqualTo(429);
    assertThat(tooMany.headers().firstValue("retry-after")).isPresent();
    var quiet = server.as("quiet", "GET", MAPS, "");
    await(metric("current_inqueue_requests"), 5);
    assertThat(server.get(MAPS).code()).as("who is exempt never waits").isEqualTo(200);
    assertThat(server.anonymously("/livez").code()).isEqualTo(200);
    store.letGo();
    // One seat is enough: the quiet one is before what the loud one has waiting.
    assertThat(quiet.get(15, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
    assertThat(
            server.metric(
                "apiserver_flowcontrol_rejected_requests_total{flow_schema=\"narrow\","
                    + "priority_level=\"narrow\",reason=\"queue-full\"}"))
        .isEqualTo(1);
  }

  @Test
  void whoWaitsTooLongIsSentAway() throws Exception {
    hold("loud", seats());
    await(metric("current_executing_requests"), seats());
    // A quarter of the four seconds that the client gives it.
    var late = server.as("quiet", "GET", MAPS + "?timeout=4s", "");
    assertThat(late.get(15, TimeUnit.SECONDS).statusCode()).isEqualTo(429);
    assertThat(
            server.metric(
                "apiserver_flowcontrol_rejected_requests_total{flow_schema=\"narrow\","
                    + "priority_level=\"narrow\",reason=\"time-out\"}"))
        .isEqualTo(1);
    assertThat(server.metric(metric("current_inqueue_requests"))).isZero();
  }

  @Test
  void aClientThatGoesAwayLeavesItsPlaceInTheQueue() {
    hold("loud", seats());
    await(metric("current_executing_requests"), seats());
    var gone =
        server.open(
            HttpClient.Version.HTTP_2,
            "GET",
            MAPS,
            "Impersonate-User",
            "quiet",
            "Impersonate-Group",
            "tenants");
    await(metric("current_inqueue_requests"), 1);
    gone.cancel(true);
    await(metric("current_inqueue_requests"), 0);
    assertThat(
            server.metric(
                "apiserver_flowcontrol_rejected_requests_total{flow_schema=\"narrow\","
                    + "priority_level=\"narrow\",reason=\"cancelled\"}"))
        .isEqualTo(1);
  }
}
