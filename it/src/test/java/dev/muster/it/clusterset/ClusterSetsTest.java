package dev.muster.it.clusterset;

import static dev.muster.clusterset.rules.WellKnownProperties.CLUSTER_ID;
import static dev.muster.clusterset.rules.WellKnownProperties.CLUSTER_SET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.muster.clusterset.membership.Claim;
import dev.muster.clusterset.membership.ClusterSetMember;
import dev.muster.clusterset.membership.ClusterSetMembership;
import dev.muster.clusterset.membership.ClusterSets;
import dev.muster.clusterset.membership.Hub;
import dev.muster.clusterset.membership.HubApi;
import dev.muster.clusterset.membership.MemberApi;
import dev.muster.clusterset.membership.MemberCluster;
import dev.muster.clusterset.membership.MembershipController;
import dev.muster.clusterset.membership.MembershipOperator;
import dev.muster.clusterset.membership.MembershipRules;
import dev.muster.clusterset.membership.MembershipRun;
import dev.muster.clusterset.membership.MembershipStep;
import dev.muster.clusterset.membership.Phase;
import dev.muster.clusterset.membership.RefusedByHub;
import dev.muster.clusterset.property.ClusterProperty;
import dev.muster.clusterset.rules.ClusterIdRules;
import dev.muster.controllers.Clients;
import dev.muster.controllers.garbagecollector.GarbageCollector;
import dev.muster.it.ServerInProcess;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A hub and three clusters, each a server of its own. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClusterSetsTest {
  private static final ClusterIdRules IDS = new ClusterIdRules(false);

  @TempDir private static Path folder;
  private ServerInProcess hubServer;
  private KubernetesClient hub;
  private AutoCloseable collector;
  private final List<NamedCluster> clusters = new ArrayList<>();

  @BeforeAll
  void start() throws Exception {
    Files.createDirectories(folder.resolve("hub"));
    hubServer = ServerInProcess.start(folder.resolve("hub"));
    hub = Clients.of(hubServer.kubeconfig());
    collector = new GarbageCollector(2).start(hub);
    for (var id : List.of("one", "two", "three")) {
      clusters.add(NamedCluster.start(folder.resolve(id), Optional.of(id)));
    }
    new ClusterSets(hub).create("prod", "Where the money is made");
    new ClusterSets(hub).create("test", "");
  }

  @AfterAll
  void stop() throws Exception {
    for (var cluster : clusters) {
      cluster.close();
    }
    collector.close();
    hub.close();
    hubServer.close();
  }

  @AfterEach
  void everybodyLeaves() {
    for (var cluster : clusters) {
      operator(cluster).leave();
      assertThat(cluster.properties().clusterSet()).isEmpty();
    }
    cluster(0).properties().set(CLUSTER_ID, "one");
    assertThat(ids("prod")).isEmpty();
    assertThat(ids("test")).isEmpty();
  }

  private NamedCluster cluster(int index) {
    return clusters.get(index);
  }

  private MembershipOperator operator(NamedCluster cluster) {
    return new MembershipOperator(cluster.client(), hub, IDS);
  }

  private List<String> ids(String set) {
    return new ClusterSets(hub)
        .members(set, Instant.now()).stream().map(ClusterSets.MemberView::id).toList();
  }

  private static void awaitThat(Callable<Boolean> condition) {
    await().atMost(Duration.ofSeconds(60)).until(condition);
  }

  /** User story "ClusterSet membership". */
  @Test
  void clusterSetMembership() {
    for (var cluster : clusters) {
      operator(cluster).join("prod");
    }
    assertThat(new ClusterSets(hub).members("prod", Instant.now()))
        .extracting(ClusterSets.MemberView::id, ClusterSets.MemberView::phase)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("one", Phase.JOINED),
            org.assertj.core.groups.Tuple.tuple("three", Phase.JOINED),
            org.assertj.core.groups.Tuple.tuple("two", Phase.JOINED));
    for (var cluster : clusters) {
      assertThat(
              cluster
                  .kubectl()
                  .succeed("get", "clusterproperty", CLUSTER_SET, "-o", "jsonpath={.spec.value}"))
          .isEqualTo("prod");
    }
    assertThat(cluster(0).kubectl().run("delete", "clusterproperty", CLUSTER_ID).err())
        .contains("cannot be deleted while");
  }

  /** User story "Joining or moving between ClusterSets". */
  @Test
  void joiningOrMovingBetweenClusterSets() {
    var cluster = cluster(0);
    var seen = new ConcurrentLinkedQueue<String>();
    try (var _ =
        cluster
            .properties()
            .resources()
            .withName(CLUSTER_SET)
            .watch(
                new Watcher<ClusterProperty>() {
                  @Override
                  public void eventReceived(Action action, ClusterProperty property) {
                    seen.add(action + " " + property.value());
                  }

                  @Override
                  public void onClose(WatcherException cause) {}
                })) {
      assertThat(operator(cluster).join("prod")).isEqualTo("one");
      assertThat(operator(cluster).join("prod")).as("again").isEqualTo("one");
      assertThatThrownBy(() -> operator(cluster).join("test"))
          .isInstanceOf(RefusedByHub.class)
          .hasMessageContaining("muster clusterset move test");
      assertThat(operator(cluster).move("test")).isEqualTo("one");
      assertThat(ids("prod")).isEmpty();
      assertThat(ids("test")).containsExactly("one");
      assertThat(operator(cluster).leave()).contains("test");
      assertThat(operator(cluster).leave()).isEmpty();
      awaitThat(() -> seen.size() == 4);
    }
    assertThat(seen).containsExactly("ADDED prod", "DELETED prod", "ADDED test", "DELETED test");
  }

  /** User story "Diagnostics". */
  @Test
  void diagnostics() {
    var cluster = cluster(0);
    assertThat(cluster.client().raw("/metrics"))
        .contains("muster_cluster_info{cluster_id=\"one\",clusterset=\"\"} 1");
    operator(cluster).join("prod");
    assertThat(cluster.client().raw("/metrics"))
        .contains("muster_cluster_info{cluster_id=\"one\",clusterset=\"prod\"} 1");
  }

  /** User story "Multi-tenant controllers". */
  @Test
  void multiTenantControllers() {
    clusters.forEach(cluster -> operator(cluster).join("prod"));
    Map<String, NamedCluster> byId =
        clusters.stream()
            .collect(
                Collectors.toMap(
                    cluster -> cluster.properties().clusterId().orElseThrow(), cluster -> cluster));
    assertThat(byId).containsOnlyKeys("one", "two", "three");
    assertThat(byId).containsEntry("two", cluster(1));
  }

  @Test
  void anIdThatIsInTheSetIsRefusedAndFineInAnother() {
    operator(cluster(1)).join("prod");
    cluster(0).properties().set(CLUSTER_ID, "two");
    assertThatThrownBy(() -> operator(cluster(0)).join("prod"))
        .isInstanceOf(RefusedByHub.class)
        .hasMessageContaining("Another cluster (UID ")
        .hasMessageContaining("with the ID \"two\"")
        .hasMessageContaining(CLUSTER_ID);
    assertThat(cluster(0).properties().clusterSet()).isEmpty();
    operator(cluster(0)).join("test");
    assertThatThrownBy(() -> operator(cluster(0)).move("prod"))
        .isInstanceOf(RefusedByHub.class)
        .hasMessageContaining("leave, choose another ID");
    assertThat(cluster(0).properties().clusterSet()).contains("test");
    operator(cluster(1)).leave();
    operator(cluster(0)).move("prod");
    assertThat(ids("prod")).containsExactly("two");
  }

  @Test
  void whoHasNoIdOrNoSetIsRefused() {
    var properties = cluster(0).properties();
    assertThatThrownBy(() -> operator(cluster(0)).join("nowhere"))
        .hasMessageContaining("muster clusterset create nowhere");
    properties.delete(CLUSTER_ID);
    assertThatThrownBy(() -> operator(cluster(0)).join("prod"))
        .hasMessageContaining("has no ID")
        .hasMessageContaining(CLUSTER_ID);
    properties.set(CLUSTER_ID, "one");
    operator(cluster(0)).join("prod");
  }

  /** Twenty clusters at once, on a hub that decides. */
  @Test
  void ofTwentyJoinersWithOneIdOneIsIn() throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var running = new ArrayList<java.util.concurrent.Future<MembershipStep>>();
      var members = new ArrayList<MemberInMemory>();
      for (int i = 0; i < 20; i++) {
        var member = new MemberInMemory("prod", "same");
        var uid = "uid-" + i;
        members.add(member);
        running.add(
            threads.submit(
                () ->
                    new MembershipRun(
                            new MembershipRules(IDS), member, secret -> new HubApi(hub, uid))
                        .run()));
      }
      int joined = 0;
      for (int i = 0; i < 20; i++) {
        var step = running.get(i).get();
        assertThat(members.get(i).mirror().isPresent())
            .isEqualTo(step instanceof MembershipStep.Done);
        if (step instanceof MembershipStep.Refuse refuse) {
          assertThat(refuse.sentence()).contains("with the ID \"same\"");
        } else {
          joined++;
        }
      }
      assertThat(joined).isOne();
      assertThat(ids("prod")).containsExactly("same");
    }
    hub.resources(ClusterSetMember.class).inNamespace("clusterset-prod").withName("same").delete();
  }

  /** Whatever was written when the process died, the same command again ends well. */
  @Test
  void aCrashAfterAnyWriteConverges() {
    var cluster = cluster(0);
    assertThat(operator(cluster).leave()).as("installs what a member needs").isEmpty();
    for (int writes = 0; writes < 4; writes++) {
      breakOff(cluster, Optional.of("prod"), writes);
      assertThat(operator(cluster).join("prod")).isEqualTo("one");
      assertThat(ids("prod")).containsExactly("one");
      breakOff(cluster, Optional.empty(), writes);
      operator(cluster).leave();
      assertThat(ids("prod")).as("after %d writes", writes).isEmpty();
      assertThat(cluster.properties().clusterSet()).isEmpty();
    }
    for (int writes = 0; writes < 8; writes++) {
      operator(cluster).join("prod");
      breakOff(cluster, Optional.of("test"), writes);
      operator(cluster).move("test");
      assertThat(ids("prod")).as("after %d writes", writes).isEmpty();
      assertThat(ids("test")).containsExactly("one");
      operator(cluster).leave();
    }
  }

  /** Begins to change the membership, and dies after so many writes. */
  private void breakOff(NamedCluster cluster, Optional<String> set, int writes) {
    var intent = cluster.client().resources(ClusterSetMembership.class).withName("membership");
    if (set.isEmpty()) {
      intent.delete();
    } else if (intent.get() == null) {
      cluster
          .client()
          .resource(ClusterSetMembership.of(set.get(), "clusterset-hub-broken-off"))
          .create();
    } else {
      intent.edit(
          membership -> {
            membership.setSpec(
                new ClusterSetMembership.Spec(set.get(), membership.getSpec().hubSecret()));
            return membership;
          });
    }
    var uid = cluster.client().namespaces().withName("kube-system").get().getMetadata().getUid();
    MemberCluster member = new MemberApi(cluster.client());
    Hub api = new HubApi(hub, uid);
    var membership = new MembershipRun(new MembershipRules(IDS), member, name -> api);
    for (int i = 0; i < writes; i++) {
      if (membership.step() instanceof MembershipStep.Done) {
        return;
      }
    }
  }

  /** What a user writes down is done by the controller in the member. */
  @Test
  void aControllerDoesTheSameDeclaratively() throws Exception {
    var cluster = cluster(2);
    var secret = Base64.getEncoder().encodeToString(Files.readAllBytes(embedded()));
    try (var _ = new MembershipController(IDS, Clock.systemUTC()).start(cluster.client())) {
      awaitThat(() -> cluster.kubectl().run("get", "clustersetmemberships").code() == 0);
      cluster
          .kubectl()
          .succeedWithInput(
              """
              apiVersion: v1
              kind: Secret
              metadata: {name: my-hub, namespace: kube-system}
              data: {kubeconfig: %s}
              ---
              apiVersion: clusterset.muster.dev/v1alpha1
              kind: ClusterSetMembership
              metadata:
                name: membership
                finalizers: [clusterset.muster.dev/leave]
              spec: {clusterSet: prod, hubSecret: my-hub}
              """
                  .formatted(secret),
              "apply",
              "-f",
              "-");
      awaitThat(() -> cluster.properties().clusterSet().equals(Optional.of("prod")));
      awaitThat(() -> ids("prod").equals(List.of("three")));
      cluster
          .kubectl()
          .succeed(
              "patch",
              "clustersetmembership",
              "membership",
              "--type=merge",
              "-p",
              "{\"spec\":{\"clusterSet\":\"test\"}}");
      awaitThat(() -> cluster.properties().clusterSet().equals(Optional.of("test")));
      awaitThat(() -> ids("test").equals(List.of("three")) && ids("prod").isEmpty());
      cluster.kubectl().succeed("delete", "clustersetmembership", "membership");
      assertThat(cluster.properties().clusterSet()).isEmpty();
      assertThat(ids("test")).isEmpty();
    }
  }

  /** The hub's kubeconfig with its certificate inside, as a Secret needs it. */
  private Path embedded() throws Exception {
    var text = Files.readString(hubServer.kubeconfig());
    var file = folder.resolve("hub").resolve("pki/ca.crt");
    var copy = folder.resolve("embedded.kubeconfig");
    Files.writeString(
        copy,
        text.replace(
            "certificate-authority: \"" + file + "\"",
            "certificate-authority-data: \""
                + Base64.getEncoder().encodeToString(Files.readAllBytes(file))
                + "\""));
    return copy;
  }

  @Test
  void aMemberLivesByItsLeaseAndIsNeverRemovedByItself() throws Exception {
    var cluster = cluster(1);
    operator(cluster).join("prod");
    assertThat(new ClusterSets(hub).members("prod", Instant.now()).getFirst().vanished()).isTrue();
    try (var _ = new MembershipController(IDS, Clock.systemUTC()).start(cluster.client())) {
      awaitThat(() -> !new ClusterSets(hub).members("prod", Instant.now()).getFirst().vanished());
    }
    var later = Instant.now().plus(Duration.ofHours(1));
    assertThat(new ClusterSets(hub).members("prod", later))
        .singleElement()
        .satisfies(
            member -> {
              assertThat(member.vanished()).isTrue();
              assertThat(member.phase()).isEqualTo(Phase.JOINED);
            });
  }

  @Test
  void aMembersCredentialsOpenItsOwnClaimAndNothingElse() {
    operator(cluster(0)).join("prod");
    operator(cluster(1)).join("prod");
    var secret =
        cluster(0).client().secrets().inNamespace("kube-system").list().getItems().stream()
            .filter(each -> each.getMetadata().getName().startsWith("clusterset-hub-prod-"))
            .findFirst()
            .orElseThrow();
    var config =
        Config.fromKubeconfig(
            new String(
                Base64.getDecoder().decode(secret.getData().get("kubeconfig")),
                StandardCharsets.UTF_8));
    config.setRequestRetryBackoffLimit(0);
    try (var member = new KubernetesClientBuilder().withConfig(config).build()) {
      var members = member.resources(ClusterSetMember.class).inNamespace("clusterset-prod");
      assertThat(members.withName("one").get()).isNotNull();
      refused(() -> members.withName("two").get());
      refused(() -> members.list());
      refused(() -> members.withName("two").delete());
      refused(() -> new HubApi(member, "uid").make(new Claim("prod", "four", "hub")));
      refused(() -> member.secrets().inNamespace("clusterset-prod").list());
      refused(() -> member.leases().inNamespace("clusterset-prod").withName("two").get());
      refused(() -> member.namespaces().list());
      refused(
          () ->
              member
                  .resources(ClusterSetMember.class)
                  .inNamespace("clusterset-test")
                  .withName("one")
                  .get());
      operator(cluster(0)).leave();
      awaitThat(
          () -> {
            try {
              members.withName("one").get();
              return false;
            } catch (KubernetesClientException e) {
              return e.getCode() == 401 || e.getCode() == 403;
            }
          });
    }
  }

  private static void refused(Runnable request) {
    assertThatThrownBy(request::run)
        .satisfiesAnyOf(
            failure ->
                assertThat(failure)
                    .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        refused -> assertThat(refused.getCode()).isEqualTo(403)),
            failure ->
                assertThat(failure)
                    .isInstanceOf(RefusedByHub.class)
                    .hasMessageContaining("does not let this cluster"));
  }

  /** A hub that is gone leaves its members as they are. */
  @Test
  void aHubThatIsGoneLeavesMembersAsTheyAre() throws Exception {
    var cluster = cluster(2);
    var other = folder.resolve("other-hub");
    Files.createDirectories(other);
    var otherHub = ServerInProcess.start(other);
    try (var client = Clients.of(otherHub.kubeconfig());
        var quick = Clients.of(otherHub.kubeconfig(), "test", Duration.ofSeconds(2))) {
      new ClusterSets(client).create("prod", "");
      new MembershipOperator(cluster.client(), client, IDS).join("prod");
      otherHub.close();
      try (var _ = new MembershipController(IDS, Clock.systemUTC()).start(cluster.client())) {
        awaitThat(
            () ->
                cluster
                    .kubectl()
                    .succeed(
                        "get",
                        "clustersetmembership",
                        "membership",
                        "-o",
                        "jsonpath={.status.phase} {.status.message}")
                    .startsWith("Joined The hub does not answer"));
      }
      assertThat(cluster.properties().clusterSet()).contains("prod");
      assertThatThrownBy(() -> new MembershipOperator(cluster.client(), quick, IDS).leave())
          .isInstanceOf(KubernetesClientException.class);
      assertThat(cluster.properties().clusterSet()).contains("prod");
    } finally {
      cluster
          .kubectl()
          .succeed(
              "patch",
              "clustersetmembership",
              "membership",
              "--type=merge",
              "-p",
              "{\"metadata\":{\"finalizers\":[]}}");
      cluster.kubectl().run("delete", "clustersetmembership", "membership");
      cluster.kubectl().succeed("delete", "clusterproperty", CLUSTER_SET);
    }
  }
}
