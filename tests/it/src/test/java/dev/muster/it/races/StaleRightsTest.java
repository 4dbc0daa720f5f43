package dev.muster.it.races;

import static dev.muster.it.races.LateServers.NAMESPACE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A right that was taken away through the first server counts for nothing that is asked of the
 * second one, though that has not heard of it: neither for what is read in an unusual way nor for
 * what is passed on to others.
 */
class StaleRightsTest {
  private static final String PODS = NAMESPACE + "/pods";
  private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/late/deployments";

  @TempDir private Path folder;
  private LateServers late;

  @BeforeEach
  void start() throws IOException {
    late = LateServers.start(folder);
  }

  @AfterEach
  void stop() {
    late.close();
  }

  private void forbiddenLater(String method, String path, String body) {
    late.hold();
    late.takeRightAway();
    var answer = late.later(() -> late.asRobot(method, path, body));
    assertThat(answer.code()).as(answer.message()).isEqualTo(403);
    assertThat(answer.body().string("reason")).isEqualTo("Forbidden");
  }

  @Test
  void aScaleIsNotRead() {
    late.make(
        DEPLOYMENTS,
        """
        {"metadata":{"name":"d"},"spec":{"selector":{"matchLabels":{"a":"b"}},
         "template":{"metadata":{"labels":{"a":"b"}},
          "spec":{"containers":[{"name":"a","image":"a"}]}}}}
        """);
    forbiddenLater("GET", DEPLOYMENTS + "/d/scale", "");
  }

  @Test
  void aLogIsNotFetched() {
    forbiddenLater("GET", PODS + "/p/log", "");
  }

  @Test
  void aPodIsNotReached() {
    forbiddenLater("GET", PODS + "/p/proxy/", "");
  }

  @Test
  void aTokenIsNotMade() {
    late.make(NAMESPACE + "/serviceaccounts", "{\"metadata\":{\"name\":\"a\"}}");
    forbiddenLater("POST", NAMESPACE + "/serviceaccounts/a/token", "{\"spec\":{}}");
  }

  @Test
  void aDryRunIsRefused() {
    forbiddenLater(
        "POST", NAMESPACE + "/configmaps?dryRun=All", "{\"metadata\":{\"name\":\"new\"}}");
  }

  @Test
  void aCollectionThatIsEmptyIsNotDeleted() {
    forbiddenLater("DELETE", PODS, "");
  }

  @Test
  void anotherApiServerIsNotAsked() {
    late.make(
        "/apis/apiregistration.k8s.io/v1/apiservices",
        """
        {"metadata":{"name":"v1beta1.metrics.k8s.io"},"spec":{"group":"metrics.k8s.io",
         "version":"v1beta1","groupPriorityMinimum":100,"versionPriority":100,
         "insecureSkipTLSVerify":true,"service":{"namespace":"late","name":"metrics"}}}
        """);
    forbiddenLater("GET", "/apis/metrics.k8s.io/v1beta1/namespaces/late/pods", "");
  }

  @Test
  void aReviewDoesNotSayThatItIsThere() {
    late.hold();
    late.takeRightAway();
    var review =
        late.later(
            () ->
                late.http()
                    .post(
                        late.second("/apis/authorization.k8s.io/v1/subjectaccessreviews"),
                        """
                        {"spec":{"user":"robot","resourceAttributes":
                         {"verb":"get","resource":"configmaps","namespace":"late"}}}
                        """));
    assertThat(review.body().object("status").isTrue("allowed")).isFalse();
  }
}
