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

/** The second server has not heard of what the first one has acknowledged to the same client. */
class StaleServerTest {
  private static final String MERGE = "application/merge-patch+json";
  private static final String NAMESPACE = "/api/v1/namespaces/late";

  @TempDir private Path folder;
  private RacingServers servers;
  private RaceHttp http;

  @BeforeEach
  void start() throws IOException {
    servers = RacingServers.start(folder, 2, 1, 0);
    http = new RaceHttp(RacingServers.TOKEN);
    made(http.post(first("/api/v1/namespaces"), "{\"metadata\":{\"name\":\"late\"}}"));
    assertThat(http.get(second(NAMESPACE)).code()).isEqualTo(200);
  }

  @AfterEach
  void stop() {
    http.close();
    servers.close();
  }

  private String first(String path) {
    return servers.url(0) + path;
  }

  private String second(String path) {
    return servers.url(1) + path;
  }

  private static Answer made(Answer answer) {
    assertThat(answer.code()).as(answer.message()).isBetween(200, 201);
    return answer;
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

  private void hold() {
    servers.link(1).holdBack();
  }

  /** A token of an account that the second server has not heard of. */
  private String newToken() {
    hold();
    var accounts = first(NAMESPACE + "/serviceaccounts");
    made(http.post(accounts, "{\"metadata\":{\"name\":\"robot\"}}"));
    var token = made(http.post(accounts + "/robot/token", "{\"spec\":{}}"));
    return token.body().object("status").string("token");
  }

  @Test
  void theTokenOfANewAccountIsKnownEverywhere() {
    var token = newToken();
    var answer =
        later(() -> http.send(token, "GET", second("/apis/authentication.k8s.io"), "", ""));
    assertThat(answer.code()).isEqualTo(200);
  }

  @Test
  void aReviewKnowsTheTokenOfANewAccount() {
    var token = newToken();
    var review =
        later(
            () ->
                http.post(
                    second("/apis/authentication.k8s.io/v1/tokenreviews"),
                    "{\"spec\":{\"token\":\"" + token + "\"}}"));
    assertThat(review.body().object("status").isTrue("authenticated")).isTrue();
    assertThat(review.body().object("status", "user").string("username"))
        .isEqualTo("system:serviceaccount:late:robot");
  }

  /** Lets the robot read ConfigMaps, through the first server. */
  private String newRight() {
    var token = newToken();
    servers.link(1).letGo();
    assertThat(http.send(token, "GET", second("/apis"), "", "").code()).isEqualTo(200);
    hold();
    var rbac = first("/apis/rbac.authorization.k8s.io/v1/namespaces/late");
    made(
        http.post(
            rbac + "/roles",
            "{\"metadata\":{\"name\":\"r\"},\"rules\":[{\"verbs\":[\"get\",\"list\"],"
                + "\"apiGroups\":[\"\"],\"resources\":[\"configmaps\"]}]}"));
    made(
        http.post(
            rbac + "/rolebindings",
            "{\"metadata\":{\"name\":\"b\"},\"roleRef\":{\"apiGroup\":\"rbac.authorization.k8s.io\","
                + "\"kind\":\"Role\",\"name\":\"r\"},\"subjects\":[{\"kind\":\"ServiceAccount\","
                + "\"name\":\"robot\",\"namespace\":\"late\"}]}"));
    return token;
  }

  @Test
  void aRightThatWasJustGivenCountsEverywhere() {
    var token = newRight();
    var path = NAMESPACE + "/configmaps?resourceVersion=0";
    assertThat(later(() -> http.send(token, "GET", second(path), "", "")).code()).isEqualTo(200);
  }

  @Test
  void aReviewKnowsARightThatWasJustGiven() {
    newRight();
    var review =
        later(
            () ->
                http.post(
                    second("/apis/authorization.k8s.io/v1/subjectaccessreviews"),
                    """
                    {"spec":{"user":"system:serviceaccount:late:robot","resourceAttributes":
                     {"verb":"get","resource":"configmaps","namespace":"late"}}}
                    """));
    assertThat(review.body().object("status").isTrue("allowed")).isTrue();
  }

  @Test
  void aNamespaceThatWasJustMadeTakesObjects() {
    hold();
    made(http.post(first("/api/v1/namespaces"), "{\"metadata\":{\"name\":\"newer\"}}"));
    var answer =
        later(
            () ->
                http.post(
                    second("/api/v1/namespaces/newer/configmaps"),
                    "{\"metadata\":{\"name\":\"m\"}}"));
    assertThat(answer.code()).as(answer.message()).isEqualTo(201);
  }

  @Test
  void aQuotaThatWasJustRaisedHasRoom() {
    var quotas = NAMESPACE + "/resourcequotas";
    made(
        http.post(
            first(quotas),
            "{\"metadata\":{\"name\":\"q\"},\"spec\":{\"hard\":{\"count/configmaps\":\"0\"}}}"));
    var status =
        "{\"status\":{\"hard\":{\"count/configmaps\":\"%d\"},\"used\":{\"count/configmaps\":\"0\"}}}";
    made(http.send("PATCH", first(quotas + "/q/status"), MERGE, status.formatted(0)));
    assertThat(http.get(second(quotas + "/q")).code()).isEqualTo(200);
    hold();
    made(http.send("PATCH", first(quotas + "/q/status"), MERGE, status.formatted(1)));
    var answer =
        later(
            () -> http.post(second(NAMESPACE + "/configmaps"), "{\"metadata\":{\"name\":\"m\"}}"));
    assertThat(answer.code()).as(answer.message()).isEqualTo(201);
  }
}
