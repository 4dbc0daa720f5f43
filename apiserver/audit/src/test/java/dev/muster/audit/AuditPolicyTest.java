package dev.muster.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.authorization.Attributes;
import dev.muster.model.User;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which rule of a policy a request meets. */
class AuditPolicyTest {
  private static final User JANE = User.of("jane", "dev", "system:authenticated");

  private static AuditPolicy policy(String rules) {
    var text = "apiVersion: audit.k8s.io/v1\nkind: Policy\n" + rules + "\n";
    return AuditPolicyReader.read(text.getBytes(StandardCharsets.UTF_8));
  }

  private static Attributes pods(String subresource, String name) {
    return Attributes.resource(JANE, "get", "", "v1", "pods", subresource, "default", name);
  }

  private static boolean fits(String condition, Attributes attributes) {
    return policy("rules: [{level: Metadata, " + condition + "}]").decide(attributes, true).level()
        == AuditLevel.METADATA;
  }

  @ParameterizedTest
  @CsvSource({
    "pods,'',true",
    "pods,log,false",
    "pods/log,log,true",
    "pods/log,exec,false",
    "pods/*,log,true",
    "pods/*,'',true",
    "*/log,log,true",
    "*/log,'',false",
    "*/scale,log,false",
    "*,'',true",
    "*,log,true",
    "*/*,log,false",
    "services,'',false",
    "services/*,log,false"
  })
  void resourcesAndSubresourcesAreMatchedWithWildcards(
      String pattern, String subresource, boolean fits) {
    assertThat(
            fits(
                "resources: [{group: \"\", resources: [\"" + pattern + "\"]}]",
                pods(subresource, "p")))
        .isEqualTo(fits);
  }

  @Test
  void groupsOfResourcesAreMatched() {
    assertThat(fits("resources: [{group: \"\"}]", pods("", "p"))).isTrue();
    assertThat(fits("resources: [{}]", pods("", "p"))).isTrue();
    assertThat(fits("resources: [{group: \"*\"}]", pods("", "p"))).isTrue();
    assertThat(fits("resources: [{group: apps}]", pods("", "p"))).isFalse();
    assertThat(fits("resources: [{group: apps}, {group: \"\"}]", pods("", "p"))).isTrue();
  }

  @Test
  void namesOfObjectsAreMatched() {
    var rule = "resources: [{group: \"\", resources: [pods], resourceNames: [a, b]}]";
    assertThat(fits(rule, pods("", "b"))).isTrue();
    assertThat(fits(rule, pods("", "c"))).isFalse();
    assertThat(fits(rule, pods("", ""))).isFalse();
  }

  @Test
  void namespacesAreMatchedAndTheEmptyOneIsThatOfClusterObjects() {
    var node = Attributes.resource(JANE, "get", "", "v1", "nodes", "", "", "n");
    assertThat(fits("namespaces: [default]", pods("", "p"))).isTrue();
    assertThat(fits("namespaces: [other]", pods("", "p"))).isFalse();
    assertThat(fits("namespaces: [\"\"]", node)).isTrue();
    assertThat(fits("namespaces: [\"\"]", pods("", "p"))).isFalse();
    assertThat(fits("namespaces: [\"\"]", Attributes.path(JANE, "get", "/version"))).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "/healthz,/healthz,true",
    "/healthz,/healthz/etcd,false",
    "/healthz*,/healthz/etcd,true",
    "/healthz*,/health,false",
    "*,/anything,true"
  })
  void pathsAreMatchedWithAStarAtTheEnd(String pattern, String path, boolean fits) {
    var rule = "nonResourceURLs: [\"" + pattern + "\"]";
    assertThat(fits(rule, Attributes.path(JANE, "get", path))).isEqualTo(fits);
    assertThat(fits(rule, pods("", "p"))).isFalse();
  }

  @Test
  void usersGroupsAndVerbsAreMatched() {
    assertThat(fits("users: [joe, jane]", pods("", "p"))).isTrue();
    assertThat(fits("users: [joe]", pods("", "p"))).isFalse();
    assertThat(fits("userGroups: [dev]", pods("", "p"))).isTrue();
    assertThat(fits("userGroups: [ops]", pods("", "p"))).isFalse();
    assertThat(fits("verbs: [get, list]", pods("", "p"))).isTrue();
    assertThat(fits("verbs: [create]", pods("", "p"))).isFalse();
    assertThat(fits("users: [jane], verbs: [create]", pods("", "p"))).isFalse();
  }

  @Test
  void whoIsNotAuthenticatedIsInNoListOfUsers() {
    var policy =
        policy("rules: [{level: Request, users: [jane]}, {level: Request, userGroups: [dev]}]");
    assertThat(policy.decide(pods("", "p"), true).level()).isEqualTo(AuditLevel.REQUEST);
    assertThat(policy.decide(pods("", "p"), false).level()).isEqualTo(AuditLevel.NONE);
  }

  @Test
  void theFirstRuleThatFitsDecides() {
    var policy =
        policy("rules: [{level: None, verbs: [watch]}, {level: Request}, {level: Metadata}]");
    assertThat(policy.decide(pods("", "p"), true).level()).isEqualTo(AuditLevel.REQUEST);
  }

  @Test
  void stagesAreLeftOutByTheRuleAndByThePolicyTogether() {
    var policy =
        policy(
            "omitStages: [RequestReceived]\n"
                + "rules: [{level: Request, users: [jane], omitStages: [Panic]}]");
    assertThat(policy.decide(pods("", "p"), true).omitted())
        .containsExactlyInAnyOrder(AuditStage.REQUEST_RECEIVED, AuditStage.PANIC);
    assertThat(policy.decide(pods("", "p"), false).omitted())
        .containsExactly(AuditStage.REQUEST_RECEIVED);
  }

  @Test
  void theRuleDecidesOnManagedFieldsBeforeThePolicy() {
    var policy =
        policy(
            "omitManagedFields: true\n"
                + "rules: [{level: Request, verbs: [get], omitManagedFields: false},"
                + " {level: Request}]");
    assertThat(policy.decide(pods("", "p"), true).omitManagedFields()).isFalse();
    var create = Attributes.resource(JANE, "create", "", "v1", "pods", "", "default", "");
    assertThat(policy.decide(create, true).omitManagedFields()).isTrue();
  }
}
