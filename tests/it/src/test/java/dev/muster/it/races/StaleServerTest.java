package dev.muster.it.races;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The second server has not heard of what the first one has acknowledged to the same client. */
class StaleServerTest {
  private static final String MERGE = "application/merge-patch+json";
  private static final String NAMESPACE = "/api/v1/namespaces/late";
  @TempDir private Path folder;

  private StaleServer stale;
  private RaceHttp http;

  @BeforeEach
  void start() throws IOException {
    stale = new StaleServer(folder);
    http = stale.http();
    StaleServer.made(
        http.post(stale.first("/api/v1/namespaces"), "{\"metadata\":{\"name\":\"late\"}}"));
    assertThat(http.get(stale.second(NAMESPACE)).code()).isEqualTo(200);
  }

  @AfterEach
  void stop() {
    stale.close();
  }

  /** A token of an account that the second server has not heard of. */
  private String newToken() {
    stale.hold();
    var accounts = stale.first(NAMESPACE + "/serviceaccounts");
    StaleServer.made(http.post(accounts, "{\"metadata\":{\"name\":\"robot\"}}"));
    var token = StaleServer.made(http.post(accounts + "/robot/token", "{\"spec\":{}}"));
    return token.body().object("status").string("token");
  }

  @Test
  void theTokenOfANewAccountIsKnownEverywhere() {
    var token = newToken();
    var answer =
        stale.later(
            () -> http.send(token, "GET", stale.second("/apis/authentication.k8s.io"), "", ""));
    assertThat(answer.code()).isEqualTo(200);
  }

  @Test
  void aReviewKnowsTheTokenOfANewAccount() {
    var token = newToken();
    var review =
        stale.later(
            () ->
                http.post(
                    stale.second("/apis/authentication.k8s.io/v1/tokenreviews"),
                    "{\"spec\":{\"token\":\"" + token + "\"}}"));
    assertThat(review.body().object("status").isTrue("authenticated")).isTrue();
    assertThat(review.body().object("status", "user").string("username"))
        .isEqualTo("system:serviceaccount:late:robot");
  }

  /** Lets the robot read ConfigMaps, through the first server. */
  private String newRight() {
    var token = newToken();
    stale.letGo();
    assertThat(http.send(token, "GET", stale.second("/apis"), "", "").code()).isEqualTo(200);
    stale.hold();
    var rbac = stale.first("/apis/rbac.authorization.k8s.io/v1/namespaces/late");
    StaleServer.made(
        http.post(
            rbac + "/roles",
            "{\"metadata\":{\"name\":\"r\"},\"rules\":[{\"verbs\":[\"get\",\"list\"],"
                + "\"apiGroups\":[\"\"],\"resources\":[\"configmaps\"]}]}"));
    StaleServer.made(
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
    assertThat(stale.later(() -> http.send(token, "GET", stale.second(path), "", "")).code())
        .isEqualTo(200);
  }

  @Test
  void aReviewKnowsARightThatWasJustGiven() {
    newRight();
    var review =
        stale.later(
            () ->
                http.post(
                    stale.second("/apis/authorization.k8s.io/v1/subjectaccessreviews"),
                    """
                    {"spec":{"user":"system:serviceaccount:late:robot","resourceAttributes":
                     {"verb":"get","resource":"configmaps","namespace":"late"}}}
                    """));
    assertThat(review.body().object("status").isTrue("allowed")).isTrue();
  }

  @Test
  void aNamespaceThatWasJustMadeTakesObjects() {
    stale.hold();
    StaleServer.made(
        http.post(stale.first("/api/v1/namespaces"), "{\"metadata\":{\"name\":\"newer\"}}"));
    var answer =
        stale.later(
            () ->
                http.post(
                    stale.second("/api/v1/namespaces/newer/configmaps"),
                    "{\"metadata\":{\"name\":\"m\"}}"));
    assertThat(answer.code()).as(answer.message()).isEqualTo(201);
  }

  @Test
  void aQuotaThatWasJustRaisedHasRoom() {
    var quotas = NAMESPACE + "/resourcequotas";
    StaleServer.made(
        http.post(
            stale.first(quotas),
            "{\"metadata\":{\"name\":\"q\"},\"spec\":{\"hard\":{\"count/configmaps\":\"0\"}}}"));
    var status =
        "{\"status\":{\"hard\":{\"count/configmaps\":\"%d\"},\"used\":{\"count/configmaps\":\"0\"}}}";
    StaleServer.made(
        http.send("PATCH", stale.first(quotas + "/q/status"), MERGE, status.formatted(0)));
    assertThat(http.get(stale.second(quotas + "/q")).code()).isEqualTo(200);
    stale.hold();
    StaleServer.made(
        http.send("PATCH", stale.first(quotas + "/q/status"), MERGE, status.formatted(1)));
    var answer =
        stale.later(
            () ->
                http.post(
                    stale.second(NAMESPACE + "/configmaps"), "{\"metadata\":{\"name\":\"m\"}}"));
    assertThat(answer.code()).as(answer.message()).isEqualTo(201);
  }
}
