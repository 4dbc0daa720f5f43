package dev.muster.it.races;

import static dev.muster.it.races.LateServers.CONFIG_MAPS;
import static dev.muster.it.races.LateServers.NAMESPACE;
import static dev.muster.it.races.LateServers.made;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.it.races.RaceHttp.Answer;
import dev.muster.testing.CarelessStore.Carelessness;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The second server has not heard that something was acknowledged by the first one which decides
 * about the next request: that counts all the same, and would not without what servers do for it.
 */
class StaleDecisionsTest {
  private static final String POLICIES = "/apis/admissionregistration.k8s.io/v1";
  private static final String NEW = "{\"metadata\":{\"name\":\"new\"}}";

  @TempDir private Path folder;

  @SuppressWarnings("NullAway.Init") // by every test itself
  private LateServers late;

  private void start(Carelessness... careless) throws IOException {
    late = LateServers.start(folder, careless);
  }

  @AfterEach
  void stop() {
    late.close();
  }

  private Answer createWithoutRight() {
    late.holdUntilCommit();
    late.takeRightAway();
    return late.asRobot("POST", CONFIG_MAPS, NEW);
  }

  @Test
  void aRightThatIsGoneLetsNobodyCreate() throws IOException {
    start();
    assertThat(createWithoutRight().code()).isEqualTo(403);
    assertThat(late.http().get(late.first(CONFIG_MAPS + "/new")).code()).isEqualTo(404);
  }

  @Test
  void withoutTheGuardARightThatIsGoneWouldCount() throws IOException {
    start(Carelessness.GUARDS_ARE_DROPPED);
    assertThat(createWithoutRight().code()).isEqualTo(201);
  }

  @Test
  void withoutTheKeyARightThatIsGoneWouldCount() throws IOException {
    start(Carelessness.CHANGES_ARE_NOT_TOLD);
    assertThat(createWithoutRight().code()).isEqualTo(201);
  }

  @Test
  void aRightThatIsGoneLetsNobodyChangeOrDelete() throws IOException {
    start();
    late.holdUntilCommit();
    late.takeRightAway();
    assertThat(late.asRobot("PATCH", CONFIG_MAPS + "/there", "{\"data\":{\"a\":\"b\"}}").code())
        .isEqualTo(403);
    assertThat(late.asRobot("DELETE", CONFIG_MAPS + "/there", "").code()).isEqualTo(403);
    assertThat(late.http().get(late.first(CONFIG_MAPS + "/there")).body().has("data")).isFalse();
  }

  /** A role in a namespace may be about the namespace itself. */
  @Test
  void aRightThatIsGoneLetsNobodyChangeTheNamespace() throws IOException {
    start();
    late.holdUntilCommit();
    late.takeRightAway();
    assertThat(late.asRobot("PATCH", NAMESPACE, "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}").code())
        .isEqualTo(403);
  }

  @Test
  void aRightThatIsGoneLetsNobodyRead() throws IOException {
    start();
    late.hold();
    late.takeRightAway();
    assertThat(late.later(() -> late.asRobot("GET", CONFIG_MAPS + "/there", "")).code())
        .isEqualTo(403);
  }

  @Test
  void withoutTheReadIndexARightThatIsGoneWouldCount() throws IOException {
    start(Carelessness.READ_INDEX_IS_OLD);
    late.hold();
    late.takeRightAway();
    assertThat(late.later(() -> late.asRobot("GET", CONFIG_MAPS + "/there", "")).code())
        .isEqualTo(200);
  }

  private Answer createAgainstPolicy() {
    late.make(
        POLICIES + "/validatingadmissionpolicies",
        """
        {"metadata":{"name":"p"},"spec":{"failurePolicy":"Fail",
         "matchConstraints":{"resourceRules":[{"apiGroups":[""],"apiVersions":["v1"],
          "operations":["CREATE"],"resources":["configmaps"]}]},
         "validations":[{"expression":"object.metadata.name != 'new'"}]}}
        """);
    late.holdUntilCommit();
    late.make(
        POLICIES + "/validatingadmissionpolicybindings",
        """
        {"metadata":{"name":"b"},"spec":{"policyName":"p","validationActions":["Deny"]}}
        """);
    return late.asRobot("POST", CONFIG_MAPS, NEW);
  }

  @Test
  void aPolicyThatIsThereHoldsOnEveryServer() throws IOException {
    start();
    var refused = createAgainstPolicy();
    assertThat(refused.code()).as(refused.message()).isEqualTo(422);
  }

  @Test
  void withoutTheGuardAPolicyThatIsThereWouldNotHold() throws IOException {
    start(Carelessness.GUARDS_ARE_DROPPED);
    assertThat(createAgainstPolicy().code()).isEqualTo(201);
  }

  @Test
  void aQuotaThatIsThereHoldsOnEveryServer() throws IOException {
    start();
    late.holdUntilCommit();
    late.make(
        NAMESPACE + "/resourcequotas",
        "{\"metadata\":{\"name\":\"q\"},\"spec\":{\"hard\":{\"count/configmaps\":\"0\"}}}");
    made(
        late.http()
            .send(
                "PATCH",
                late.first(NAMESPACE + "/resourcequotas/q/status"),
                "application/merge-patch+json",
                """
                {"status":{"hard":{"count/configmaps":"0"},"used":{"count/configmaps":"0"}}}
                """));
    assertThat(late.asRobot("POST", CONFIG_MAPS, NEW).code()).isEqualTo(403);
  }

  @Test
  void aWatchEndsWhenTheRightIsGone() throws IOException {
    start();
    var events =
        late.http()
            .watchAs(
                RacingServers.ROBOT,
                late.second(CONFIG_MAPS + "?watch=true&fieldSelector=metadata.name=there"),
                event -> {
                  if (event.string("type").equals("ADDED")) {
                    late.takeRightAway();
                  }
                  return event.string("type").equals("ERROR");
                });
    var last = events.getLast().object("object");
    assertThat(last.integer("code", 0)).isEqualTo(403);
    assertThat(last.string("reason")).isEqualTo("Forbidden");
  }
}
