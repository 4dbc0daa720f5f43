package dev.muster.authorization.rbac;

import static dev.muster.authorization.rbac.Rbac.account;
import static dev.muster.authorization.rbac.Rbac.group;
import static dev.muster.authorization.rbac.Rbac.named;
import static dev.muster.authorization.rbac.Rbac.paths;
import static dev.muster.authorization.rbac.Rbac.rule;
import static dev.muster.authorization.rbac.Rbac.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.authorization.Attributes;
import dev.muster.authorization.PolicyRule;
import dev.muster.authorization.modes.AuthorizerChain;
import dev.muster.model.User;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RbacAuthorizerTest {
  private final Rbac rbac = new Rbac();
  private final User jane = User.of("jane", "devs", User.ALL_AUTHENTICATED);

  private static Attributes pods(User user, String verb, String namespace, String name) {
    return Attributes.resource(user, verb, "", "v1", "pods", "", namespace, name);
  }

  @Test
  void allowsByRoleBindingInItsNamespaceOnly() {
    rbac.role("a", "reader", "", "pods,pods/log", "get,list")
        .roleBinding("a", "b", "Role", "reader", user("jane"));
    var authorizer = rbac.authorizer();

    var decision = authorizer.authorize(pods(jane, "get", "a", "x"));
    assertThat(decision.allowed()).isTrue();
    assertThat(decision.reason())
        .isEqualTo("RBAC: allowed by RoleBinding \"b/a\" of Role \"reader\" to User \"jane\"");
    assertThat(authorizer.authorize(pods(jane, "get", "b", "x")).allowed()).isFalse();
    assertThat(authorizer.authorize(pods(jane, "get", "", "")).allowed()).isFalse();
    assertThat(authorizer.authorize(pods(jane, "delete", "a", "x")).allowed()).isFalse();
    assertThat(authorizer.authorize(pods(User.of("joe"), "get", "a", "x")).allowed()).isFalse();
    var log = Attributes.resource(jane, "get", "", "v1", "pods", "log", "a", "x");
    assertThat(authorizer.authorize(log).allowed()).isTrue();
    var exec = Attributes.resource(jane, "get", "", "v1", "pods", "exec", "a", "x");
    assertThat(authorizer.authorize(exec).allowed()).isFalse();
  }

  @Test
  void allowsServiceAccountsOfTheBindingsOwnNamespaceWhenNoneIsGiven() {
    rbac.clusterRole("reader", rule("", "pods", "get"))
        .roleBinding("a", "b", "ClusterRole", "reader", account("", "robot"))
        .clusterBinding("c", "reader", account("", "robot"));
    var robot = User.of("system:serviceaccount:a:robot");
    var decision = rbac.authorizer().authorize(pods(robot, "get", "a", "x"));
    assertThat(decision.reason())
        .isEqualTo(
            "RBAC: allowed by RoleBinding \"b/a\" of ClusterRole \"reader\" to ServiceAccount"
                + " \"robot/a\"");
    assertThat(rbac.authorizer().authorize(pods(robot, "get", "b", "x")).allowed()).isFalse();
  }

  @Test
  void understandsStarsAndNames() {
    rbac.clusterRole("scaler", rule("apps", "*/scale", "*"))
        .clusterRole("namer", named(rule("*", "configmaps", "get,create"), "one,two"))
        .clusterBinding("s", "scaler", group("devs"))
        .clusterBinding("n", "namer", group("devs"));
    var authorizer = rbac.authorizer();
    var scale = Attributes.resource(jane, "patch", "apps", "v1", "deployments", "scale", "a", "w");
    assertThat(authorizer.authorize(scale).allowed()).isTrue();
    var whole = Attributes.resource(jane, "patch", "apps", "v1", "deployments", "", "a", "w");
    assertThat(authorizer.authorize(whole).allowed()).isFalse();
    var upscale =
        Attributes.resource(jane, "patch", "apps", "v1", "deployments", "upscale", "a", "w");
    assertThat(authorizer.authorize(upscale).allowed()).isFalse();
    var two = Attributes.resource(jane, "get", "", "v1", "configmaps", "", "a", "two");
    assertThat(authorizer.authorize(two).allowed()).isTrue();
    var list = Attributes.resource(jane, "get", "", "v1", "configmaps", "", "a", "");
    assertThat(authorizer.authorize(list).allowed()).isFalse();
  }

  @Test
  void matchesPathsWithAStarAtTheEnd() {
    rbac.clusterRole("paths", paths("/logs/*,/exact", "get"))
        .clusterBinding("p", "paths", user("jane"));
    var authorizer = rbac.authorizer();
    assertThat(authorizer.authorize(Attributes.path(jane, "get", "/logs/a/b")).allowed()).isTrue();
    assertThat(authorizer.authorize(Attributes.path(jane, "get", "/logs")).allowed()).isFalse();
    assertThat(authorizer.authorize(Attributes.path(jane, "get", "/exact")).allowed()).isTrue();
    assertThat(authorizer.authorize(Attributes.path(jane, "get", "/exactly")).allowed()).isFalse();
    assertThat(authorizer.authorize(Attributes.path(jane, "post", "/exact")).allowed()).isFalse();
  }

  @Test
  void aRuleForResourcesSaysNothingAboutPaths() {
    rbac.clusterRole("all", rule("*", "*", "*")).clusterBinding("a", "all", user("jane"));
    assertThat(rbac.authorizer().authorize(Attributes.path(jane, "get", "/x")).allowed()).isFalse();
  }

  @Test
  void namesRolesThatAreMissing() {
    rbac.roleBinding("a", "b", "Role", "absent", user("jane"))
        .clusterBinding("c", "gone", user("jane"));
    var decision = rbac.authorizer().authorize(pods(jane, "get", "a", "x"));
    assertThat(decision.allowed()).isFalse();
    assertThat(decision.reason())
        .isEqualTo(
            "RBAC: [clusterrole.rbac.authorization.k8s.io \"gone\" not found,"
                + " role.rbac.authorization.k8s.io \"absent\" not found]");
  }

  @Test
  void seesEveryChangeAtOnce() {
    var authorizer = rbac.authorizer();
    var get = pods(jane, "get", "a", "x");
    assertThat(authorizer.authorize(get).allowed()).isFalse();
    rbac.roleBinding("a", "b", "ClusterRole", "reader", user("jane"));
    assertThat(authorizer.authorize(get).allowed()).isFalse();
    rbac.clusterRole("reader", rule("", "pods", "get"));
    assertThat(authorizer.authorize(get).allowed()).isTrue();
    rbac.clusterRole("reader", rule("", "pods", "list"));
    assertThat(authorizer.authorize(get).allowed()).isFalse();
    rbac.role("a", "own", "", "pods", "get").roleBinding("a", "c", "Role", "own", group("devs"));
    assertThat(authorizer.authorize(get).allowed()).isTrue();
    rbac.cluster.remove(RbacIndex.ROLES, "a", "own");
    assertThat(authorizer.authorize(get).allowed()).isFalse();
    rbac.clusterRole("reader", rule("", "pods", "get"));
    assertThat(authorizer.authorize(get).allowed()).isTrue();
    rbac.cluster.remove(RbacIndex.ROLE_BINDINGS, "a", "b");
    assertThat(authorizer.authorize(get).allowed()).isFalse();
    rbac.clusterBinding("d", "reader", user("jane"));
    assertThat(authorizer.authorize(get).allowed()).isTrue();
    rbac.cluster.remove(RbacIndex.CLUSTER_ROLE_BINDINGS, "", "d");
    assertThat(authorizer.authorize(get).allowed()).isFalse();
  }

  @Test
  void mastersMayDoEverythingWithoutARole() {
    var chain = new AuthorizerChain(List.of(rbac.authorizer()));
    var master = User.of("root", User.MASTERS);
    assertThat(chain.authorize(pods(master, "delete", "a", "x")).allowed()).isTrue();
    assertThat(chain.authorize(pods(jane, "delete", "a", "x")).allowed()).isFalse();
  }

  @Test
  void listsEachBindingsRulesOnce() {
    rbac.clusterRole("reader", rule("", "pods", "get"))
        .role("a", "writer", "", "pods", "update")
        .clusterBinding("c", "reader", user("jane"), group("devs"), group(User.ALL_AUTHENTICATED))
        .roleBinding("a", "b", "Role", "writer", group("devs"))
        .roleBinding("a", "d", "Role", "absent", group("devs"));
    var rules = rbac.authorizer().rulesFor(jane, "a");
    assertThat(rules.rules())
        .extracting(PolicyRule::verbs)
        .containsExactly(List.of("get"), List.of("update"));
    assertThat(rules.error()).isEqualTo("role.rbac.authorization.k8s.io \"absent\" not found");
  }

  @Test
  void whatWentWrongIsOneListWhicheverModeSaysIt() {
    rbac.clusterBinding("c", "gone", user("jane")).clusterBinding("d", "lost", user("jane"));
    var chain = new AuthorizerChain(List.of(rbac.authorizer(), rbac.authorizer()));
    assertThat(chain.rulesFor(jane, "a").error())
        .isEqualTo(
            "[clusterrole.rbac.authorization.k8s.io \"gone\" not found,"
                + " clusterrole.rbac.authorization.k8s.io \"lost\" not found]");
  }

  @Test
  void aDecisionIsSoonMadeWhenTheRolesAreCompiledAndSmall() {
    rbac.role("a", "reader", "", "pods", "get")
        .roleBinding("a", "b", "Role", "reader", user("jane"));
    var authorizer = rbac.authorizer();
    var asked = pods(jane, "get", "a", "x");
    assertThat(authorizer.isSoonDecided(asked)).isFalse();
    assertThat(authorizer.isSoonDecided(pods(jane, "get", "empty", "x"))).isTrue();
    authorizer.authorize(asked);
    assertThat(authorizer.isSoonDecided(asked)).isTrue();

    var names = String.join(",", Collections.nCopies(20_000, "n"));
    rbac.cluster.put(
        RbacIndex.ROLES, Rbac.role("a", "reader", named(rule("", "pods", "get"), names)));
    authorizer.authorize(asked);
    assertThat(authorizer.isSoonDecided(asked)).isFalse();
    assertThat(authorizer.isSoonDecided(pods(User.of("joe"), "get", "a", "x"))).isTrue();
  }

  @Test
  void rolesThatAreMissingAreNamedUpToABound() {
    for (int i = 0; i < 200; i++) {
      rbac.roleBinding("a", "b" + i, "Role", "absent" + i, user("jane"));
    }
    var decision = rbac.authorizer().authorize(pods(jane, "get", "a", "x"));
    assertThat(decision.reason().split("not found", -1)).hasSize(Bindings.MOST_ERRORS + 1);
  }

  @Test
  void manyGroupsChangeNoDecision() {
    var random = new Random(7);
    for (int round = 0; round < 60; round++) {
      var rbac = new Rbac();
      for (int i = 0; i < 12; i++) {
        var resource = random.nextInt(5) == 0 ? "*" : "r" + random.nextInt(4);
        rbac.clusterRole("role-" + i, Rbac.rule("", resource, random.nextBoolean() ? "get" : "*"));
        var subject = Rbac.group("g" + random.nextInt(40));
        var role = random.nextInt(6) == 0 ? "missing-" + i : "role-" + i;
        if (random.nextBoolean()) {
          rbac.clusterBinding("b" + i, role, subject);
        } else {
          rbac.roleBinding("a", "b" + i, "ClusterRole", role, subject);
        }
      }
      var authorizer = rbac.authorizer();
      // Twenty groups are looked up together, and ten at a time one by one.
      var groups = IntStream.range(0, 20).mapToObj(i -> "g" + i).toList();
      for (int i = 0; i < 4; i++) {
        for (var verb : new String[] {"get", "delete"}) {
          boolean together = allowed(authorizer, groups, verb, "r" + i);
          boolean apart =
              allowed(authorizer, groups.subList(0, 10), verb, "r" + i)
                  || allowed(authorizer, groups.subList(10, 20), verb, "r" + i);
          assertThat(together).isEqualTo(apart);
        }
      }
    }
  }

  private static boolean allowed(
      RbacAuthorizer authorizer, List<String> groups, String verb, String resource) {
    var user = new User("jane", "", groups, Map.of());
    return authorizer
        .authorize(Attributes.resource(user, verb, "", "v1", resource, "", "a", "x"))
        .allowed();
  }
}
