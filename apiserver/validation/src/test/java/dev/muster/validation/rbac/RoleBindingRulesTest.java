package dev.muster.validation.rbac;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.validation.core.Verdicts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoleBindingRulesTest {
  private static final Verdicts BINDING = new Verdicts(RoleBindingRules.BINDING, true);
  private static final Verdicts CLUSTER_BINDING =
      new Verdicts(RoleBindingRules.CLUSTER_BINDING, false);

  private static String binding(String subject) {
    return "{'roleRef':{'kind':'ClusterRole','name':'r'},'subjects':[" + subject + "]}";
  }

  @Test
  void usersGroupsAndRolesAreOfThisGroup() {
    var made =
        BINDING.prepared(
            binding("{'kind':'User','name':'u'},{'kind':'ServiceAccount','name':'s'}"));
    assertThat(made.object("roleRef").string("apiGroup")).isEqualTo("rbac.authorization.k8s.io");
    var subjects = made.array("subjects").objects();
    assertThat(subjects.get(0).string("apiGroup")).isEqualTo("rbac.authorization.k8s.io");
    assertThat(subjects.get(1).has("apiGroup")).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{'kind':'User'} | name: Required value",
        "{'kind':'User','name':'u','apiGroup':'x'} | apiGroup: Unsupported value: \"x\": supported"
            + " values: \"rbac.authorization.k8s.io\"",
        "{'kind':'Group','name':'u','apiGroup':'x'} | apiGroup: Unsupported value: \"x\": supported"
            + " values: \"rbac.authorization.k8s.io\"",
        "{'kind':'ServiceAccount','name':'s','apiGroup':'x'} | apiGroup: Unsupported value: \"x\":"
            + " supported values: \"\"",
        "{'kind':'Robot','name':'r'} | kind: Unsupported value: \"Robot\": supported values:"
            + " \"ServiceAccount\", \"User\", \"Group\"",
      })
  void subjectsAreOfAKnownKind(String subject, String error) {
    assertThat(BINDING.create(binding(subject))).containsExactly("subjects[0]." + error);
  }

  @Test
  void anAccountOfTheClusterHasANamespace() {
    var account = binding("{'kind':'ServiceAccount','name':'s'}");
    assertThat(BINDING.create(account)).isEmpty();
    assertThat(CLUSTER_BINDING.create(account))
        .containsExactly("subjects[0].namespace: Required value");
  }

  @Test
  void aBindingIsToARole() {
    assertThat(BINDING.create("{}"))
        .containsExactly(
            "roleRef.kind: Unsupported value: \"\": supported values: \"Role\", \"ClusterRole\"",
            "roleRef.name: Required value");
    assertThat(CLUSTER_BINDING.create("{'roleRef':{'apiGroup':'x','kind':'Role','name':'.'}}"))
        .containsExactly(
            "roleRef.apiGroup: Unsupported value: \"x\": supported values:"
                + " \"rbac.authorization.k8s.io\"",
            "roleRef.kind: Unsupported value: \"Role\": supported values: \"ClusterRole\"",
            "roleRef.name: Invalid value: \".\": may not be '.'");
  }

  @Test
  void theRoleStays() {
    assertThat(BINDING.update(binding(""), "{'roleRef':{'kind':'ClusterRole','name':'other'}}"))
        .singleElement()
        .asString()
        .startsWith("roleRef: Invalid value: {")
        .endsWith("}: cannot change roleRef");
    assertThat(BINDING.update(binding(""), binding("{'kind':'User','name':'u'}"))).isEmpty();
  }
}
