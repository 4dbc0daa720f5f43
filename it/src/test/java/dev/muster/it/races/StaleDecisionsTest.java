package dev.muster.it.races;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.it.races.RaceHttp.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The second server has not heard that something was acknowledged by the first one which decides
 * about the next request: that counts all the same.
 */
class StaleDecisionsTest {
  private static final String NAMESPACE = "/api/v1/namespaces/late";
  private static final String CONFIG_MAPS = NAMESPACE + "/configmaps";
  private static final String ROLES = "/apis/rbac.authorization.k8s.io/v1/namespaces/late";
  private static final String POLICIES = "/apis/admissionregistration.k8s.io/v1";

  @TempDir private Path folder;
  private RacingServers servers;
  private RaceHttp http;
  private String robot;

  @BeforeEach
  void start() throws IOException {
    servers = RacingServers.start(folder, 2, 1, 0);
    http = new RaceHttp(RacingServers.TOKEN);
    made(http.post(first("/api/v1/namespaces"), "{\"metadata\":{\"name\":\"late\"}}"));
    var accounts = first(NAMESPACE + "/serviceaccounts");
    made(http.post(accounts, "{\"metadata\":{\"name\":\"robot\"}}"));
    robot =
        made(http.post(accounts + "/robot/token", "{\"spec\":{}}"))
            .body()
            .object("status")
            .string("token");
    made(
        http.post(
            first(ROLES + "/roles"),
            """
            {"metadata":{"name":"r"},"rules":[{"verbs":["*"],"apiGroups":[""],
             "resources":["configmaps"]}]}
            """));
    made(
        http.post(
            first(ROLES + "/rolebindings"),
            """
            {"metadata":{"name":"b"},
             "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"Role","name":"r"},
             "subjects":[{"kind":"ServiceAccount","name":"robot","namespace":"late"}]}
            """));
    made(asRobot("POST", CONFIG_MAPS, "{\"metadata\":{\"name\":\"there\"}}"));
  }

  @AfterEach
  void stop() {
    http.close();
    servers.close();
  }

  private String first(String path) {
    return servers.url(0) + path;
  }

  private static Answer made(Answer answer) {
    assertThat(answer.code()).as(answer.message()).isBetween(200, 201);
    return answer;
  }

  /** A request to the second server of somebody who may do what the role says. */
  private Answer asRobot(String method, String path, String body) {
    var type = method.equals("PATCH") ? "application/merge-patch+json" : "application/json";
    return http.send(robot, method, servers.url(1) + path, body.isEmpty() ? "" : type, body);
  }

  /**
   * The second server hears of nothing until a write of its own, decided by then, is on its way.
   */
  private void holdUntilCommit() {
    var link = servers.link(1);
    link.holdBack();
    link.beforeNextCommit(link::letGo);
  }

  /** The answer of the second server, which hears of everything once it has asked the store. */
  private Answer later(Supplier<Answer> request) {
    var link = servers.link(1);
    long asked = link.asked();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var answer = CompletableFuture.supplyAsync(request, threads);
      await().until(() -> answer.isDone() || link.asked() > asked);
      link.letGo();
      return answer.join();
    }
  }

  private void takeRightAway() {
    made(http.send("DELETE", first(ROLES + "/rolebindings/b"), "", ""));
  }

  @Test
  void aRightThatIsGoneLetsNobodyCreate() {
    holdUntilCommit();
    takeRightAway();
    assertThat(asRobot("POST", CONFIG_MAPS, "{\"metadata\":{\"name\":\"new\"}}").code())
        .isEqualTo(403);
    assertThat(http.get(first(CONFIG_MAPS + "/new")).code()).isEqualTo(404);
  }

  @Test
  void aRightThatIsGoneLetsNobodyChangeOrDelete() {
    holdUntilCommit();
    takeRightAway();
    assertThat(asRobot("PATCH", CONFIG_MAPS + "/there", "{\"data\":{\"a\":\"b\"}}").code())
        .isEqualTo(403);
    assertThat(asRobot("DELETE", CONFIG_MAPS + "/there", "").code()).isEqualTo(403);
    assertThat(http.get(first(CONFIG_MAPS + "/there")).body().has("data")).isFalse();
  }

  @Test
  void aRightThatIsGoneLetsNobodyRead() {
    servers.link(1).holdBack();
    takeRightAway();
    assertThat(later(() -> asRobot("GET", CONFIG_MAPS + "/there", "")).code()).isEqualTo(403);
  }

  @Test
  void aPolicyThatIsThereHoldsOnEveryServer() {
    made(
        http.post(
            first(POLICIES + "/validatingadmissionpolicies"),
            """
            {"metadata":{"name":"p"},"spec":{"failurePolicy":"Fail",
             "matchConstraints":{"resourceRules":[{"apiGroups":[""],"apiVersions":["v1"],
              "operations":["CREATE"],"resources":["configmaps"]}]},
             "validations":[{"expression":"object.metadata.name != 'new'"}]}}
            """));
    holdUntilCommit();
    made(
        http.post(
            first(POLICIES + "/validatingadmissionpolicybindings"),
            """
            {"metadata":{"name":"b"},"spec":{"policyName":"p","validationActions":["Deny"]}}
            """));
    var refused = asRobot("POST", CONFIG_MAPS, "{\"metadata\":{\"name\":\"new\"}}");
    assertThat(refused.code()).as(refused.message()).isEqualTo(422);
  }

  @Test
  void aQuotaThatIsThereHoldsOnEveryServer() {
    holdUntilCommit();
    made(
        http.post(
            first(NAMESPACE + "/resourcequotas"),
            "{\"metadata\":{\"name\":\"q\"},\"spec\":{\"hard\":{\"count/configmaps\":\"0\"}}}"));
    made(
        http.send(
            "PATCH",
            first(NAMESPACE + "/resourcequotas/q/status"),
            "application/merge-patch+json",
            """
            {"status":{"hard":{"count/configmaps":"0"},"used":{"count/configmaps":"0"}}}
            """));
    assertThat(asRobot("POST", CONFIG_MAPS, "{\"metadata\":{\"name\":\"new\"}}").code())
        .isEqualTo(403);
  }

  @Test
  void aWatchEndsWhenTheRightIsGone() {
    var events =
        http.watchAs(
            robot,
            servers.url(1) + CONFIG_MAPS + "?watch=true&fieldSelector=metadata.name=there",
            event -> {
              if (event.string("type").equals("ADDED")) {
                takeRightAway();
              }
              return event.string("type").equals("ERROR");
            });
    var last = events.getLast().object("object");
    assertThat(last.integer("code", 0)).isEqualTo(403);
    assertThat(last.string("reason")).isEqualTo("Forbidden");
  }
}
