package dev.muster.authorization.rbac;

import static dev.muster.authorization.rbac.Rbac.binding;
import static dev.muster.authorization.rbac.Rbac.named;
import static dev.muster.authorization.rbac.Rbac.paths;
import static dev.muster.authorization.rbac.Rbac.role;
import static dev.muster.authorization.rbac.Rbac.rule;
import static dev.muster.authorization.rbac.Rbac.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.authorization.Requests;
import dev.muster.model.User;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.types.ServedType;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EscalationTest {
  private static final String GROUP = "rbac.authorization.k8s.io";
  private static final ServedType ROLES = Requests.type(GROUP + "/v1", "Role", "roles");
  private static final ServedType CLUSTER_ROLES =
      Requests.type(GROUP + "/v1", "ClusterRole", "clusterroles");
  private static final ServedType ROLE_BINDINGS =
      Requests.type(GROUP + "/v1", "RoleBinding", "rolebindings");

  private final Rbac rbac = new Rbac();
  private final Requests requests = new Requests(rbac.cluster);

  private Escalation escalation() {
    var authorizer = rbac.authorizer();
    return new Escalation(authorizer, authorizer);
  }

  @Test
  void refusesARoleWithRightsNotHeldAndNamesThem() {
    rbac.clusterRole("held", rule("", "pods", "get,list"))
        .clusterBinding("b", "held", user("jane"));
    var wanted =
        role(
            "a",
            "new",
            rule("", "pods", "get,delete,update"),
            named(rule("apps", "deployments", "get"), "x"));
    assertThatThrownBy(() -> escalation().admit(requests.create(ROLES, wanted)))
        .hasMessage(
            "roles.rbac.authorization.k8s.io \"new\" is forbidden: user \"jane\""
                + " (groups=[\"system:authenticated\"]) is attempting to grant RBAC permissions not"
                + " currently held:\n"
                + "{APIGroups:[\"\"], Resources:[\"pods\"], Verbs:[\"delete\" \"update\"]}\n"
                + "{APIGroups:[\"apps\"], Resources:[\"deployments\"], ResourceNames:[\"x\"],"
                + " Verbs:[\"get\"]}");
  }

  @Test
  void aRuleOfTenKilobytesThatStandsForMillionsOfRightsIsRefusedWithAShortMessage() {
    var lists =
        IntStream.range(0, 420).mapToObj(Integer::toString).collect(Collectors.joining(","));
    var rule =
        JsonObject.of(
            "verbs",
            Rbac.texts(lists),
            "apiGroups",
            Rbac.texts(lists),
            "resources",
            Rbac.texts(lists));
    assertThatThrownBy(() -> escalation().admit(requests.create(ROLES, role("a", "new", rule))))
        .hasMessageContaining("is attempting to grant RBAC permissions not currently held:\n")
        .hasMessageContaining("{APIGroups:[\"0\"], Resources:[\"0\"], Verbs:[\"0\" \"1\"")
        .hasMessageEndingWith("\n... and more")
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(3 * MissingRights.ENOUGH));
  }

  @Test
  void allowsWhatIsHeldPerhapsByAWiderRule() {
    rbac.clusterRole("held", rule("*", "*/scale,pods", "*"), paths("/logs/*", "get"))
        .clusterBinding("b", "held", user("jane"));
    var wanted =
        role(
            "",
            "new",
            rule("apps", "deployments/scale", "patch"),
            named(rule("", "pods", "get"), "one"),
            paths("/logs/x", "get"));
    assertThatCode(() -> escalation().admit(requests.create(CLUSTER_ROLES, wanted)))
        .doesNotThrowAnyException();
  }

  @Test
  void rightsOnOneNameAreNotRightsOnAll() {
    rbac.clusterRole("held", named(rule("", "pods", "get"), "one"))
        .clusterBinding("b", "held", user("jane"));
    var wanted = role("a", "new", rule("", "pods", "get"));
    assertThatThrownBy(() -> escalation().admit(requests.create(ROLES, wanted)))
        .isInstanceOf(ApiException.class);
  }

  @Test
  void escalateAndBindLetPass() {
    rbac.clusterRole(
            "may",
            rule(GROUP, "roles", "escalate"),
            named(rule(GROUP, "clusterroles", "bind"), "big"))
        .clusterRole("big", rule("*", "*", "*"))
        .clusterBinding("b", "may", user("jane"));
    var wanted = role("a", "new", rule("*", "*", "*"));
    assertThatCode(() -> escalation().admit(requests.create(ROLES, wanted)))
        .doesNotThrowAnyException();
    var bound = binding("a", "new", "ClusterRole", "big", user("joe"));
    assertThatCode(() -> escalation().admit(requests.create(ROLE_BINDINGS, bound)))
        .doesNotThrowAnyException();
    var other = binding("a", "new", "ClusterRole", "may", user("joe"));
    assertThatCode(() -> escalation().admit(requests.create(ROLE_BINDINGS, other)))
        .doesNotThrowAnyException();
  }

  @Test
  void refusesToBindMoreThanIsHeld() {
    rbac.clusterRole("big", rule("", "secrets", "get"));
    var bound = binding("a", "new", "ClusterRole", "big", user("joe"));
    assertThatThrownBy(() -> escalation().admit(requests.create(ROLE_BINDINGS, bound)))
        .hasMessageStartingWith(
            "rolebindings.rbac.authorization.k8s.io \"new\" is forbidden: user");
  }

  @Test
  void aBindingToAMissingRoleIsNotFoundUnlessItMayBeBound() {
    var bound = binding("a", "new", "Role", "absent", user("joe"));
    assertThatThrownBy(() -> escalation().admit(requests.create(ROLE_BINDINGS, bound)))
        .hasMessage("role.rbac.authorization.k8s.io \"absent\" not found")
        .extracting(e -> ((ApiException) e).reason())
        .isEqualTo(Reason.NOT_FOUND);
    var masters = requests.by(User.of("root", User.MASTERS)).create(ROLE_BINDINGS, bound);
    assertThatCode(() -> escalation().admit(masters)).doesNotThrowAnyException();
  }

  @Test
  void aggregationNeedsEverything() {
    var aggregating =
        role("", "new")
            .with(
                "aggregationRule",
                JsonObject.of(
                    "clusterRoleSelectors",
                    JsonArray.of(JsonObject.of("matchLabels", JsonObject.of("a", "b")))));
    assertThatThrownBy(() -> escalation().admit(requests.create(CLUSTER_ROLES, aggregating)))
        .hasMessage(
            "clusterroles.rbac.authorization.k8s.io \"new\" is forbidden: must have cluster-admin"
                + " privileges to use the aggregationRule");
    assertThatThrownBy(
            () -> escalation().admit(requests.update(CLUSTER_ROLES, role("", "new"), aggregating)))
        .isInstanceOf(ApiException.class);
  }

  @Test
  void theGarbageCollectorMayReleaseRolesItDoesNotHold() {
    var old = role("a", "new", rule("*", "*", "*"));
    var released = old.withAt(JsonArray.of(Json.of("f")), "metadata", "finalizers");
    var admitted = escalation().admit(requests.update(ROLES, released, old));
    assertThat(admitted).isSameAs(released);
    var changed = released.withAt(JsonObject.of("l", "1"), "metadata", "labels");
    assertThatThrownBy(() -> escalation().admit(requests.update(ROLES, changed, old)))
        .isInstanceOf(ApiException.class);
  }
}
