package dev.muster.it.clusterset;

import static dev.muster.multicluster.rules.WellKnownProperties.CLUSTER_ID;
import static dev.muster.multicluster.rules.WellKnownProperties.CLUSTER_SET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.muster.controllers.client.ApiRequests;
import dev.muster.multicluster.identity.ClusterProperty;
import dev.muster.multicluster.membership.Claim;
import dev.muster.multicluster.membership.ClusterSetMembership;
import dev.muster.multicluster.membership.MembershipOperator;
import dev.muster.multicluster.rules.ClusterIdRules;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The definition, the ID and the rules in a server. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClusterPropertyTest {
  @TempDir private static Path folder;
  private NamedCluster cluster;

  @BeforeAll
  void start() throws Exception {
    cluster = NamedCluster.start(folder, Optional.empty());
  }

  @AfterAll
  void stop() throws Exception {
    cluster.close();
  }

  @AfterEach
  void leaveAsItWas() {
    var properties = cluster.properties();
    properties.delete(CLUSTER_SET);
    properties.all().keySet().stream()
        .filter(name -> !name.equals(CLUSTER_ID))
        .forEach(properties::delete);
    await()
        .until(
            () -> {
              properties.set(CLUSTER_ID, uidOfKubeSystem());
              return true;
            });
  }

  private String uidOfKubeSystem() {
    return cluster.client().namespaces().withName("kube-system").get().getMetadata().getUid();
  }

  @Test
  void theIdIsTheUidOfKubeSystem() {
    assertThat(cluster.properties().clusterId()).contains(uidOfKubeSystem());
    assertThat(cluster.kubectl().succeed("get", "clusterproperties"))
        .containsPattern("NAME +VALUE +AGE")
        .containsPattern(CLUSTER_ID + " +" + uidOfKubeSystem());
    assertThat(cluster.kubectl().succeed("get", "multicluster")).contains(uidOfKubeSystem());
  }

  @Test
  void everyVersionShowsTheSame() {
    for (var version : new String[] {"v1", "v1beta1", "v1alpha1"}) {
      var read =
          cluster
              .client()
              .genericKubernetesResources(
                  new ResourceDefinitionContext.Builder()
                      .withGroup(ClusterProperty.GROUP)
                      .withVersion(version)
                      .withKind("ClusterProperty")
                      .withPlural("clusterproperties")
                      .withNamespaced(false)
                      .build())
              .withName(CLUSTER_ID)
              .get();
      assertThat(read)
          .extracting(GenericKubernetesResource::getApiVersion)
          .isEqualTo("about.k8s.io/" + version);
      assertThat(read.<String>get("spec", "value")).isEqualTo(uidOfKubeSystem());
    }
  }

  @Test
  void theTypedClientCreatesReadsChangesAndDeletes() {
    var properties = cluster.properties();
    properties.create("fingerprint.example.com", "first");
    properties.set("fingerprint.example.com", "second");
    assertThat(properties.value("fingerprint.example.com")).contains("second");
    assertThat(properties.all()).containsKeys(CLUSTER_ID, "fingerprint.example.com");
    assertThat(properties.delete("fingerprint.example.com")).isTrue();
    assertThat(properties.delete("fingerprint.example.com")).isFalse();
    assertThat(properties.value("fingerprint.example.com")).isEmpty();
  }

  @Test
  void valuesMayHave128000CodePointsOfAnyKind() {
    var flag = "\uD83C\uDDFA\uD83C\uDDF8";
    cluster.properties().create("flags", flag.repeat(64_000));
    assertThat(cluster.properties().value("flags")).contains(flag.repeat(64_000));
    assertThatThrownBy(() -> cluster.properties().create("more", flag.repeat(64_000) + "x"))
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("128000");
    assertThatThrownBy(() -> cluster.properties().create("none", ""))
        .isInstanceOf(KubernetesClientException.class);
  }

  @Test
  void kubectlIsToldWhatIsWrongAndWhatToDo() {
    var kubectl = cluster.kubectl();
    assertThat(set(CLUSTER_ID, "Not_A_Name")).contains("RFC 1123").contains("use small letters");
    assertThat(set("fingerprint.k8s.io", "x")).contains("reserved for Kubernetes");
    assertThat(set(CLUSTER_ID, "a." + "b".repeat(62))).contains("Warning").contains("leaves");
    assertThat(set(CLUSTER_ID, "one")).doesNotContain("Warning");
    assertThat(set(CLUSTER_SET, "prod")).contains("created");
    assertThat(set(CLUSTER_ID, "two")).contains("cannot be changed while").contains("\"prod\"");
    assertThat(set(CLUSTER_SET, "test")).contains("muster clusterset move");
    assertThat(kubectl.run("delete", "clusterproperty", CLUSTER_ID).err())
        .contains("cannot be deleted");
    assertThat(kubectl.run("label", "clusterproperty", CLUSTER_ID, "a=b").code()).isZero();
    kubectl.succeed("delete", "clusterproperty", CLUSTER_SET);
    assertThat(set(CLUSTER_ID, "two")).contains("configured");
  }

  @Test
  void creatingAnIdWhereThereIsOneSaysSo() {
    var properties = cluster.properties();
    for (var set : List.of("", "prod")) {
      if (!set.isEmpty()) {
        properties.create(CLUSTER_SET, set);
      }
      assertThatThrownBy(() -> properties.create(CLUSTER_ID, "two"))
          .isInstanceOfSatisfying(
              KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(409))
          .hasMessageContaining("already exists");
    }
    assertThatThrownBy(() -> properties.create(CLUSTER_SET, "test"))
        .hasMessageContaining("already exists");
  }

  /** Of a cluster whose ID is another than that which it has in its set, however that came. */
  @Test
  void theIdThatIsClaimedCanBeSetBack() {
    var properties = cluster.properties();
    var client = cluster.client();
    assertThat(new MembershipOperator(client, client, new ClusterIdRules(false)).leave()).isEmpty();
    properties.set(CLUSTER_ID, "other");
    properties.create(CLUSTER_SET, "prod");
    var membership = ClusterSetMembership.of("prod", "no-secret");
    membership.getMetadata().setFinalizers(List.of());
    client.resource(membership).create();
    try {
      var stored = client.resources(ClusterSetMembership.class).withName("membership").require();
      stored.setStatus(
          new ClusterSetMembership.Status(
              "Joined", null, new Claim("prod", "claimed", "no-secret")));
      client.resource(stored).updateStatus();
      assertThat(set(CLUSTER_ID, "third"))
          .contains("set it to \"claimed\", with which it is a member");
      assertThat(set(CLUSTER_ID, "claimed")).contains("configured");
      assertThat(set(CLUSTER_ID, "other")).contains("cannot be changed");
    } finally {
      client.resources(ClusterSetMembership.class).withName("membership").delete();
    }
  }

  private String set(String name, String value) {
    var output =
        cluster
            .kubectl()
            .runWithInput(
                """
                apiVersion: about.k8s.io/v1
                kind: ClusterProperty
                metadata: {name: %s}
                spec: {value: "%s"}
                """
                    .formatted(name, value),
                "apply",
                "-f",
                "-");
    return output.out() + output.err();
  }

  @Test
  void theRolesLetPeopleSeeNameTheClusterAndManageMembership() throws Exception {
    var kubectl = cluster.kubectl();
    for (var role :
        new String[] {
          "muster:cluster-property-viewer",
          "muster:cluster-id-editor",
          "muster:clusterset-membership"
        }) {
      kubectl.succeed(
          "create", "clusterrolebinding", "of-a-test", "--clusterrole=" + role, "--user=somebody");
      try (var somebody = somebody()) {
        var theirs = somebody.resources(ClusterProperty.class);
        boolean views = role.endsWith("viewer");
        boolean names = role.endsWith("editor");
        boolean manages = role.endsWith("membership");
        await().until(() -> allowed(() -> theirs.withName(CLUSTER_ID).get()));
        assertThat(allowed(() -> theirs.list())).isEqualTo(views);
        assertThat(
                allowed(
                    () ->
                        theirs
                            .withName(CLUSTER_ID)
                            .edit(
                                property -> {
                                  property.setSpec(new ClusterProperty.Spec("by-" + "somebody"));
                                  return property;
                                })))
            .isEqualTo(names);
        assertThat(
                allowed(
                    () -> theirs.resource(ClusterProperty.of(CLUSTER_SET, "their-set")).create()))
            .isEqualTo(manages);
        assertThat(allowed(() -> theirs.withName(CLUSTER_SET).delete())).isEqualTo(manages);
      } finally {
        kubectl.succeed("delete", "clusterrolebinding", "of-a-test");
      }
    }
  }

  @Test
  void whoMayOnlyCreatePropertiesCannotMakeTheClusterAMember() throws Exception {
    var kubectl = cluster.kubectl();
    kubectl.succeed(
        "create",
        "clusterrole",
        "of-a-test",
        "--verb=create,get,delete",
        "--resource=clusterproperties.about.k8s.io");
    kubectl.succeed(
        "create", "clusterrolebinding", "of-a-test", "--clusterrole=of-a-test", "--user=somebody");
    try (var somebody = somebody()) {
      var theirs = somebody.resources(ClusterProperty.class);
      theirs.resource(ClusterProperty.of("their-own", "x")).create();
      assertThatThrownBy(
              () -> theirs.resource(ClusterProperty.of(CLUSTER_SET, "their-set")).create())
          .hasMessageContaining("muster:clusterset-membership");
      cluster.properties().create(CLUSTER_SET, "prod");
      assertThatThrownBy(() -> theirs.withName(CLUSTER_SET).delete())
          .hasMessageContaining("muster clusterset");
    } finally {
      kubectl.succeed("delete", "clusterrolebinding,clusterrole", "of-a-test");
    }
  }

  /**
   * A delete of the collection names no object in its path, and is held to the same rules as the
   * deletes of its members.
   */
  @Test
  void aCollectionDeleteIsHeldToTheRulesOfEachProperty() {
    var properties = cluster.properties();
    properties.create(CLUSTER_SET, "prod");
    for (var version : new String[] {"v1", "v1beta1", "v1alpha1"}) {
      for (var query :
          new String[] {
            "", "?fieldSelector=metadata.name%3D" + CLUSTER_ID, "?dryRun=All", "?limit=1"
          }) {
        assertThat(deleteCollection(version, query))
            .as(version + query)
            .contains("The cluster ID cannot be deleted while");
      }
    }
    cluster.kubectl().succeed("label", "clusterproperty", CLUSTER_ID, "chosen=yes");
    assertThat(deleteCollection("v1", "?labelSelector=chosen%3Dyes"))
        .contains("The cluster ID cannot be deleted while");
    assertThat(properties.clusterId()).contains(uidOfKubeSystem());
    assertThat(properties.clusterSet()).contains("prod");
  }

  @Test
  void ownPropertiesGoWithACollectionDelete() {
    var properties = cluster.properties();
    properties.create(CLUSTER_SET, "prod");
    properties.create("own.example.com", "x");
    properties.create("own.k9s.io", "y");
    cluster.kubectl().succeed("label", "clusterproperty", "own.example.com", "chosen=yes");
    assertThat(deleteCollection("v1", "?labelSelector=chosen%3Dyes&dryRun=All"))
        .contains("own.example.com");
    assertThat(properties.value("own.example.com")).contains("x");
    assertThat(deleteCollection("v1", "?labelSelector=chosen%3Dyes")).contains("own.example.com");
    assertThat(deleteCollection("v1", "?fieldSelector=metadata.name%3Down.k9s.io"))
        .contains("own.k9s.io");
    assertThat(properties.all()).containsOnlyKeys(CLUSTER_ID, CLUSTER_SET);
  }

  @Test
  void whoMayDeleteCollectionsButNotJoinCannotTakeTheClusterOut() throws Exception {
    var properties = cluster.properties();
    var kubectl = cluster.kubectl();
    kubectl.succeed(
        "create",
        "clusterrole",
        "of-a-test",
        "--verb=list,deletecollection",
        "--resource=clusterproperties.about.k8s.io");
    kubectl.succeed(
        "create", "clusterrolebinding", "of-a-test", "--clusterrole=of-a-test", "--user=somebody");
    var onlyTheSet = "?fieldSelector=metadata.name%3D" + CLUSTER_SET;
    try (var somebody = somebody()) {
      await().until(() -> allowed(() -> somebody.resources(ClusterProperty.class).list()));
      properties.create(CLUSTER_SET, "prod");
      for (var query : new String[] {onlyTheSet, onlyTheSet + "&dryRun=All"}) {
        assertThat(deleteCollection(somebody, "v1", query))
            .contains("muster:clusterset-membership");
      }
      assertThat(deleteCollection(somebody, "v1", "")).contains("cannot be deleted while");
      assertThat(properties.clusterSet()).contains("prod");
      assertThat(properties.clusterId()).isPresent();
    } finally {
      kubectl.succeed("delete", "clusterrolebinding,clusterrole", "of-a-test");
    }
    assertThat(deleteCollection("v1", onlyTheSet + "&dryRun=All")).contains("\"prod\"");
    assertThat(properties.clusterSet()).contains("prod");
    assertThat(deleteCollection("v1", onlyTheSet)).contains("\"prod\"");
    assertThat(properties.clusterSet()).isEmpty();
  }

  private String deleteCollection(String version, String query) {
    return deleteCollection(cluster.client(), version, query);
  }

  /** What the server answers, whether it is the deleted objects or a Status. */
  private static String deleteCollection(KubernetesClient client, String version, String query) {
    var path = "/apis/about.k8s.io/" + version + "/clusterproperties" + query;
    var answer = new ApiRequests(client).send("DELETE", path, "application/json");
    return client.getKubernetesSerialization().asJson(answer.body());
  }

  private KubernetesClient somebody() {
    var config = Config.fromKubeconfig(cluster.kubeconfig().toFile());
    config.setOauthToken("of-a-user");
    config.setAutoOAuthToken(null);
    config.setRequestRetryBackoffLimit(0);
    return new KubernetesClientBuilder().withConfig(config).build();
  }

  private static boolean allowed(Runnable request) {
    try {
      request.run();
      return true;
    } catch (KubernetesClientException e) {
      if (e.getCode() == 403) {
        return false;
      }
      throw e;
    }
  }

  /** Whichever comes first, a member's ID is the one it had when it became a member. */
  @Test
  void anIdThatChangesWhileTheClusterBecomesAMemberIsJudgedInOrder() throws Exception {
    var properties = cluster.properties();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int round = 0; round < 20; round++) {
        properties.set(CLUSTER_ID, "before");
        var deleted =
            threads.submit(
                () -> allowed(() -> properties.resources().withName(CLUSTER_ID).delete()));
        boolean joined = allowed(() -> properties.create(CLUSTER_SET, "prod"));
        assertThat(joined && deleted.get()).as("a member without an ID").isFalse();
        assertThat(properties.clusterId().isPresent()).isEqualTo(!deleted.get());
        properties.delete(CLUSTER_SET);
      }
    }
  }

  @Test
  void aDefinitionThatIsDamagedIsRepairedAndOneThatIsGoneComesBack() {
    var definitions = cluster.client().apiextensions().v1().customResourceDefinitions();
    var name = "clusterproperties.about.k8s.io";
    definitions
        .withName(name)
        .edit(
            definition -> {
              definition.getSpec().getVersions().get(2).setServed(false);
              return definition;
            });
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> definitions.withName(name).get().getSpec().getVersions().get(2).getServed());
    definitions.withName(name).delete();
    await()
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptions()
        .until(() -> cluster.properties().clusterId().isPresent());
    assertThat(cluster.properties().clusterId()).contains(uidOfKubeSystem());
  }
}
