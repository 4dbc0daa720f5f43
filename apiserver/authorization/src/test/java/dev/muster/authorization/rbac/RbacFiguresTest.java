package dev.muster.authorization.rbac;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.authorization.Attributes;
import dev.muster.authorization.modes.AuthorizerChain;
import dev.muster.model.User;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** What a decision costs in a cluster with many roles, for a user in many groups. */
@EnabledIfSystemProperty(named = "muster.benchmark", matches = "true")
class RbacFiguresTest {
  private static final int ROLES = 10_000;
  private static final int GROUPS = 200;
  private static final int NAMESPACES = 100;
  private static final int ROUNDS = 6;
  private static final int DECISIONS = 50_000;

  @Test
  void aDecisionCostsLittle() {
    var chain = new AuthorizerChain(List.of(cluster().authorizer()));
    var groups = new ArrayList<String>();
    for (int i = 0; i < GROUPS; i++) {
      groups.add("team-" + i);
    }
    groups.add(User.ALL_AUTHENTICATED);
    var user = new User("jane", "", groups, Map.of());
    var first = Attributes.resource(user, "get", "", "v1", "kind0", "", "ns-0", "x");
    var last = Attributes.resource(user, "get", "", "v1", "kind199", "", "ns-99", "x");
    var none = Attributes.resource(user, "delete", "apps", "v1", "deployments", "", "ns-51", "x");
    assertThat(chain.authorize(first).allowed()).isTrue();
    assertThat(chain.authorize(last).allowed()).isTrue();
    assertThat(chain.authorize(none).allowed()).isFalse();
    print("allowed by the first group", chain, first);
    print("allowed by the last group", chain, last);
    print("allowed by nobody", chain, none);
  }

  /** Each role names a resource of its own; half of the bindings are for the whole cluster. */
  private static Rbac cluster() {
    var rbac = new Rbac();
    for (int i = 0; i < ROLES; i++) {
      rbac.clusterRole("role-" + i, Rbac.rule("", "kind" + i % 1000, "get,list,watch"));
    }
    for (int i = 0; i < ROLES; i++) {
      var team = Rbac.group("team-" + i % 1000);
      if (i % 2 == 0) {
        rbac.clusterBinding("binding-" + i, "role-" + i, team);
      } else {
        rbac.roleBinding("ns-" + i % NAMESPACES, "binding-" + i, "ClusterRole", "role-" + i, team);
      }
    }
    return rbac;
  }

  private static void print(String what, AuthorizerChain chain, Attributes attributes) {
    var threads = ManagementFactory.getThreadMXBean();
    double best = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long start = threads.getCurrentThreadCpuTime();
      int allowed = 0;
      for (int i = 0; i < DECISIONS; i++) {
        allowed += chain.authorize(attributes).allowed() ? 1 : 0;
      }
      long took = threads.getCurrentThreadCpuTime() - start;
      assertThat(allowed).isIn(0, DECISIONS);
      best = Math.min(best, took / 1000.0 / DECISIONS);
    }
    System.out.printf("%s: %.2f µs of CPU per decision%n", what, best);
  }
}
