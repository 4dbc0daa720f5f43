package dev.muster.validation.rbac;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.validation.core.Verdicts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoleRulesTest {
  private static final Verdicts ROLE = new Verdicts(RoleRules.ROLE, true);
  private static final Verdicts CLUSTER_ROLE = new Verdicts(RoleRules.CLUSTER_ROLE, false);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{'apiGroups':[''],'resources':['pods']} | verbs: Required value: verbs must contain at"
            + " least one value",
        "{'verbs':['get'],'resources':['pods']} | apiGroups: Required value: resource rules must"
            + " supply at least one api group",
        "{'verbs':['get'],'apiGroups':['']} | resources: Required value: resource rules must supply"
            + " at least one resource",
        "{'verbs':['get'],'nonResourceURLs':['/x']} | nonResourceURLs: Invalid value: [\"/x\"]:"
            + " namespaced rules cannot apply to non-resource URLs",
      })
  void aRuleSaysWhatMayBeDoneWithWhat(String rule, String error) {
    assertThat(ROLE.create("{'rules':[" + rule + "]}")).containsExactly("rules[0]." + error);
  }

  @Test
  void onlyRolesOfTheClusterAreAboutPaths() {
    assertThat(CLUSTER_ROLE.create("{'rules':[{'verbs':['get'],'nonResourceURLs':['/x']}]}"))
        .isEmpty();
    assertThat(
            CLUSTER_ROLE.create(
                "{'rules':[{'verbs':['get'],'nonResourceURLs':['/x'],'resourceNames':['n']}]}"))
        .containsExactly(
            "rules[0].nonResourceURLs: Invalid value: [\"/x\"]: rules cannot apply to both regular"
                + " resources and non-resource URLs");
  }

  @Test
  void anAggregationSelectsRoles() {
    assertThat(CLUSTER_ROLE.create("{'aggregationRule':{}}"))
        .containsExactly(
            "aggregationRule.clusterRoleSelectors: Required value: at least one"
                + " clusterRoleSelector required if aggregationRule is non-nil");
    assertThat(
            CLUSTER_ROLE.create(
                "{'aggregationRule':{'clusterRoleSelectors':[{'matchExpressions':"
                    + "[{'key':'a','operator':'Near'}]}]}}"))
        .containsExactly(
            "aggregationRule.clusterRoleSelectors[0].matchExpressions[0].operator: Invalid value:"
                + " \"Near\": not a valid selector operator",
            "aggregationRule.clusterRoleSelectors[0]: Invalid value: null: invalid label"
                + " selector.");
  }

  @Test
  void namesMayHoldNearlyAnything() {
    assertThat(ROLE.create("{'metadata':{'name':'system:a B'}}")).isEmpty();
    assertThat(ROLE.create("{'metadata':{'name':'a/b'}}"))
        .containsExactly("metadata.name: Invalid value: \"a/b\": may not contain '/'");
  }

  @Test
  void rulesMayChange() {
    assertThat(
            ROLE.update(
                "{}", "{'rules':[{'verbs':['get'],'apiGroups':[''],'resources':['pods']}]}"))
        .isEmpty();
    assertThat(ROLE.update("{}", "{'rules':[{}]}")).hasSize(3);
  }
}
