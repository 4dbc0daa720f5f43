package dev.muster.it.clusterset;

import static dev.muster.multicluster.rules.WellKnownProperties.CLUSTER_ID;
import static dev.muster.multicluster.rules.WellKnownProperties.CLUSTER_SET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.multicluster.identity.ClusterProperty;
import dev.muster.multicluster.membership.ClusterSetMember;
import dev.muster.multicluster.membership.ClusterSetMembership;
import dev.muster.multicluster.membership.ClusterSets;
import dev.muster.multicluster.membership.Hub;
import dev.muster.multicluster.membership.HubApi;
import dev.muster.multicluster.membership.MemberApi;
import dev.muster.multicluster.membership.MemberCluster;
import dev.muster.multicluster.membership.MembershipRules;
import dev.muster.multicluster.membership.MembershipRun;
import dev.muster.multicluster.membership.MembershipStep;
import dev.muster.multicluster.membership.Phase;
import dev.muster.multicluster.membership.RefusedByHub;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Clusters join, move between and leave sets. */
@Tag("slow")
class ClusterSetsTest extends HubAndClusters {
  /** User story "ClusterSet membership". */
  @Test
  void clusterSetMembership() {
    for (var cluster : clusters) {
      operator(cluster).join("prod");
    }
    assertThat(new ClusterSets(hub).members("prod", Instant.now()))
        .extracting(ClusterSets.MemberView::id, ClusterSets.MemberView::phase)
        .containsExactly(
            Tuple.tuple("one", Phase.JOINED),
            Tuple.tuple("three", Phase.JOINED),
            Tuple.tuple("two", Phase.JOINED));
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
      var running = new ArrayList<Future<MembershipStep>>();
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
      cluster.moveTo(set.get());
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
}
