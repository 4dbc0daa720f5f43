package dev.muster.authorization.bootstrap;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.authorization.Attributes;
import dev.muster.authorization.FakeCluster;
import dev.muster.authorization.rbac.RbacAuthorizer;
import dev.muster.model.GroupVersionResource;
import dev.muster.model.User;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.registry.write.ServerChange;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class BootstrapObjectsTest {
  /** Objects in a map, and what was done to them. */
  private static final class Written implements ObjectWriter {
    final ConcurrentMap<String, JsonObject> objects = new ConcurrentHashMap<>();
    final List<String> writes = Collections.synchronizedList(new ArrayList<>());

    static String key(GroupVersionResource resource, String namespace, String name) {
      return resource.resource() + "/" + namespace + "/" + name;
    }

    @Override
    public void change(
        GroupVersionResource resource, String namespace, String name, ServerChange change) {
      var key = key(resource, namespace, name);
      var present = objects.get(key);
      var wanted = change.of(present);
      if (wanted != null && (present == null || !wanted.equals(present))) {
        writes.add((present == null ? "create " : "update ") + key);
        objects.put(key, wanted);
      }
    }
  }

  private final Written written = new Written();

  private void run() throws InterruptedException {
    written.writes.clear();
    BootstrapObjects.run(BootstrapObjects.all(), written);
  }

  private JsonObject get(String key) {
    return requireNonNull(written.objects.get(key));
  }

  @Test
  void rolesOfAFeatureComeWithItsGates() throws Exception {
    var collector = "clusterroles//system:controller:storage-version-garbage-collector";
    var migrator = "clusterrolebindings//system:controller:storage-version-migrator-controller";
    run();
    assertThat(written.objects).doesNotContainKeys(collector, migrator);
    BootstrapObjects.run(BootstrapObjects.all(gate -> gate.startsWith("StorageVersion")), written);
    assertThat(written.objects).containsKey(migrator).doesNotContainKey(collector);
    BootstrapObjects.run(BootstrapObjects.all(gate -> true), written);
    assertThat(get(collector).array("rules").size()).isEqualTo(3);
  }

  @Test
  void whoMigratesStoredObjectsMayRewriteEverythingAndReportAboutIt() throws Exception {
    BootstrapObjects.run(BootstrapObjects.all(gate -> true), written);
    var role = get("clusterroles//system:controller:storage-version-migrator-controller");
    assertThat(
            role.array("rules").objects().stream()
                .map(
                    rule ->
                        String.join(",", rule.array("verbs").strings())
                            + " "
                            + String.join(",", rule.array("resources").strings())
                            + " in "
                            + String.join(",", rule.array("apiGroups").strings())))
        .containsExactly(
            "create,list,patch * in *",
            "get customresourcedefinitions in apiextensions.k8s.io",
            "patch customresourcedefinitions/status in apiextensions.k8s.io",
            "update storageversionmigrations/status in storagemigration.k8s.io");
  }

  @Test
  void makesWhatKubernetesMakes() throws Exception {
    run();
    var kinds =
        written.objects.keySet().stream()
            .collect(
                Collectors.groupingBy(k -> k.substring(0, k.indexOf('/')), Collectors.counting()));
    assertThat(kinds)
        .containsEntry("clusterroles", 69L)
        .containsEntry("clusterrolebindings", 50L)
        .containsEntry("roles", 7L)
        .containsEntry("rolebindings", 7L)
        .containsEntry("flowschemas", 11L)
        .containsEntry("prioritylevelconfigurations", 8L)
        .containsEntry("priorityclasses", 2L);
    assertThat(get("clusterroles//cluster-admin").toString())
        .isEqualTo(
            "{\"kind\":\"ClusterRole\",\"apiVersion\":\"rbac.authorization.k8s.io/v1\",\"metadata\":"
                + "{\"name\":\"cluster-admin\",\"labels\":{\"kubernetes.io/bootstrapping\":"
                + "\"rbac-defaults\"},\"annotations\":"
                + "{\"rbac.authorization.kubernetes.io/autoupdate\":\"true\"}},\"rules\":"
                + "[{\"verbs\":[\"*\"],\"apiGroups\":[\"*\"],\"resources\":[\"*\"]},"
                + "{\"verbs\":[\"*\"],\"nonResourceURLs\":[\"*\"]}]}");
    assertThat(get("rolebindings/kube-public/system:controller:bootstrap-signer").toString())
        .endsWith(
            "\"subjects\":[{\"kind\":\"ServiceAccount\",\"name\":\"bootstrap-signer\","
                + "\"namespace\":\"kube-system\"}],\"roleRef\":{\"apiGroup\":"
                + "\"rbac.authorization.k8s.io\",\"kind\":\"Role\",\"name\":"
                + "\"system:controller:bootstrap-signer\"}}");
  }

  @Test
  void gathersTheRulesOfAggregatedRoles() throws Exception {
    run();
    assertThat(get("clusterroles//view").array("rules").size()).isEqualTo(12);
    assertThat(get("clusterroles//edit").array("rules").size()).isEqualTo(27);
    assertThat(get("clusterroles//admin").array("rules").size()).isEqualTo(29);
    assertThat(get("clusterroles//admin").array("rules").get(0))
        .isEqualTo(get("clusterroles//system:aggregate-to-edit").array("rules").get(0));
  }

  @Test
  void theDefaultsLetEverybodyDiscoverAndNobodyMore() throws Exception {
    run();
    var cluster = new FakeCluster();
    written.objects.forEach(
        (key, object) -> cluster.put("/" + key.substring(0, key.indexOf('/')), object));
    var rbac = new RbacAuthorizer(() -> cluster);
    var jane = User.of("jane", User.ALL_AUTHENTICATED);
    assertThat(rbac.authorize(Attributes.path(jane, "get", "/apis/apps/v1")).allowed()).isTrue();
    assertThat(rbac.authorize(Attributes.path(User.ANONYMOUS, "get", "/version")).allowed())
        .isTrue();
    assertThat(rbac.authorize(Attributes.path(User.ANONYMOUS, "get", "/api")).allowed()).isFalse();
    var list = Attributes.resource(jane, "list", "", "v1", "pods", "", "default", "");
    assertThat(rbac.authorize(list).allowed()).isFalse();
  }

  @Test
  void aSecondStartWritesNothing() throws Exception {
    run();
    run();
    assertThat(written.writes).isEmpty();
  }

  @Test
  void rolesRegainWhatTheyLostAndKeepWhatTheyGot() throws Exception {
    run();
    var key = "clusterroles//system:basic-user";
    var own = get("clusterroles//system:discovery").array("rules").get(0);
    written.objects.put(key, get(key).with("rules", JsonArray.of(own)));
    run();
    assertThat(written.writes).containsExactly("update " + key);
    assertThat(get(key).array("rules").get(0)).isEqualTo(own);
    assertThat(get(key).array("rules").size()).isEqualTo(4);
  }

  @Test
  void whatIsSwitchedOffStaysAsItIs() throws Exception {
    run();
    var key = "clusterroles//system:basic-user";
    var off =
        get(key)
            .with("rules", JsonArray.EMPTY)
            .withAt(
                Json.of("false"),
                "metadata",
                "annotations",
                "rbac.authorization.kubernetes.io/autoupdate");
    written.objects.put(key, off);
    run();
    assertThat(written.writes).isEmpty();
  }

  @Test
  void bindingsRegainSubjects() throws Exception {
    run();
    var key = "clusterrolebindings//system:discovery";
    written.objects.put(key, get(key).without("subjects"));
    run();
    assertThat(written.writes).containsExactly("update " + key);
    assertThat(get(key).array("subjects").size()).isEqualTo(1);
  }

  @Test
  void flowControlReturnsToItsDefaultsUnlessTakenOver() throws Exception {
    run();
    var mine = "flowschemas//service-accounts";
    var mandatory = "flowschemas//catch-all";
    for (var key : List.of(mine, mandatory)) {
      written.objects.put(
          key,
          get(key)
              .withAt(Json.of(42), "spec", "matchingPrecedence")
              .withAt(
                  Json.of("false"),
                  "metadata",
                  "annotations",
                  "apf.kubernetes.io/autoupdate-spec"));
    }
    var changed = "prioritylevelconfigurations//system";
    written.objects.put(
        changed, get(changed).withAt(Json.of(1), "spec", "limited", "lendablePercent"));
    run();
    assertThat(written.writes)
        .containsExactlyInAnyOrder("update " + mandatory, "update " + changed);
    assertThat(get(mine).object("spec").integer("matchingPrecedence", 0)).isEqualTo(42);
  }

  @Test
  void givesUpWhenItIsRefused() {
    ObjectWriter refusing =
        (resource, namespace, name, change) -> {
          throw ApiException.badRequest("no");
        };
    assertThatThrownBy(() -> BootstrapObjects.run(BootstrapObjects.all(), refusing))
        .isInstanceOf(ApiException.class)
        .hasMessage("no");
  }
}
