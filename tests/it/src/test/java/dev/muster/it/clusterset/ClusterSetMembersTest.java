package dev.muster.it.clusterset;

import static dev.muster.multicluster.rules.WellKnownProperties.CLUSTER_ID;
import static dev.muster.multicluster.rules.WellKnownProperties.CLUSTER_SET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.controllers.client.Clients;
import dev.muster.it.ServerInProcess;
import dev.muster.multicluster.membership.Claim;
import dev.muster.multicluster.membership.ClusterSetMember;
import dev.muster.multicluster.membership.ClusterSetMembership;
import dev.muster.multicluster.membership.ClusterSets;
import dev.muster.multicluster.membership.HubApi;
import dev.muster.multicluster.membership.MembershipController;
import dev.muster.multicluster.membership.MembershipOperator;
import dev.muster.multicluster.membership.Phase;
import dev.muster.multicluster.membership.RefusedByHub;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a member of a set does and may do while it is one. */
@Tag("slow")
class ClusterSetMembersTest extends HubAndClusters {
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

  /** It says for whom it waits, and goes on when the Lease is given back. */
  @Test
  void aCommandThatHasToWaitSaysForWhom() {
    var cluster = cluster(0);
    var leases = cluster.client().leases().inNamespace("kube-system");
    assertThat(operator(cluster).leave()).as("makes the Lease").isEmpty();
    leases
        .withName("clusterset-membership")
        .edit(
            lease -> {
              lease.getSpec().setHolderIdentity("operator-of-another-machine");
              lease.getSpec().setRenewTime(ZonedDateTime.now(ZoneOffset.UTC).plusHours(2));
              return lease;
            });
    var notices = new ArrayList<String>();
    var waiting =
        new MembershipOperator(
            cluster.client(),
            hub,
            IDS,
            notice -> {
              notices.add(notice);
              leases.withName("clusterset-membership").delete();
            });
    assertThat(waiting.join("prod")).isEqualTo("one");
    assertThat(notices)
        .singleElement(InstanceOfAssertFactories.STRING)
        .contains("operator-of-another-machine");
  }

  /** The sets of two hubs may have one name, and a cluster is in one of them. */
  @Test
  void theKubeconfigOfAnotherHubIsRefused() throws Exception {
    var cluster = cluster(0);
    var other = folder.resolve("hub-of-the-same-set");
    Files.createDirectories(other);
    try (var otherHub = ServerInProcess.start(other);
        var client = Clients.of(otherHub.kubeconfig())) {
      var sets = new ClusterSets(client);
      sets.create("prod", "");
      operator(cluster).join("prod");
      var mistaken = new MembershipOperator(cluster.client(), client, IDS);
      for (ThrowingCallable command :
          List.<ThrowingCallable>of(mistaken::leave, () -> mistaken.join("prod"))) {
        assertThatThrownBy(command)
            .isInstanceOf(RefusedByHub.class)
            .hasMessageContaining("is in the hub " + hub.getMasterUrl())
            .hasMessageContaining("is another, " + client.getMasterUrl())
            .hasMessageContaining("use the kubeconfig of the first one");
        assertThat(ids("prod")).containsExactly("one");
        assertThat(sets.members("prod", Instant.now())).isEmpty();
        assertThat(cluster.properties().clusterSet()).contains("prod");
        assertThat(membership(cluster).getMetadata().getDeletionTimestamp()).isNull();
      }
      assertThat(operator(cluster).join("prod")).as("nothing is broken").isEqualTo("one");
      assertThat(mistaken.move("prod")).as("what is meant is said").isEqualTo("one");
      assertThat(ids("prod")).isEmpty();
      assertThat(sets.members("prod", Instant.now())).hasSize(1);
      assertThatThrownBy(() -> operator(cluster).leave()).isInstanceOf(RefusedByHub.class);
      assertThat(mistaken.leave()).contains("prod");
      assertThat(sets.members("prod", Instant.now())).isEmpty();
    }
  }

  private static ClusterSetMembership membership(NamedCluster cluster) {
    return cluster.client().resources(ClusterSetMembership.class).withName("membership").require();
  }

  /** Both properties go with it; the hub and the membership still know what they said. */
  @Test
  void aMemberWhoseDefinitionIsDeletedKeepsItsIdAndItsMembership() throws Exception {
    var cluster = cluster(0);
    cluster.properties().set(CLUSTER_ID, "chosen-by-hand");
    operator(cluster).join("prod");
    var claim =
        hub.resources(ClusterSetMember.class)
            .inNamespace("clusterset-prod")
            .withName("chosen-by-hand");
    var uid = claim.require().getMetadata().getUid();
    try (var _ = new MembershipController(IDS, Clock.systemUTC()).start(cluster.client())) {
      var definition =
          cluster
              .client()
              .apiextensions()
              .v1()
              .customResourceDefinitions()
              .withName("clusterproperties.about.k8s.io");
      var before = definition.require().getMetadata().getUid();
      definition.delete();
      awaitThat(
          () ->
              Optional.ofNullable(definition.get())
                  .filter(found -> !found.getMetadata().getUid().equals(before))
                  .isPresent());
      awaitThat(() -> cluster.properties().clusterSet().isPresent());
    }
    assertThat(cluster.properties().clusterId()).contains("chosen-by-hand");
    assertThat(cluster.properties().clusterSet()).contains("prod");
    assertThat(claim.require().getMetadata().getUid()).isEqualTo(uid);
    assertThat(claim.require().phase()).isEqualTo(Phase.JOINED);
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
      assertThat(membership(cluster).getMetadata().getDeletionTimestamp())
          .as("a leave that failed does not happen later by itself")
          .isNull();
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

  /**
   * The time in its Lease is hours ago, by a clock that is behind: it may be alive all the same.
   */
  @Test
  void theHolderOfTheLockIsWaitedForWhateverItsClockSays() {
    var cluster = cluster(2);
    var leases = cluster.client().leases().inNamespace("kube-system");
    var held =
        new LeaseBuilder()
            .withNewMetadata()
            .withName("clusterset-membership")
            .endMetadata()
            .withNewSpec()
            .withHolderIdentity("other")
            .withRenewTime(ZonedDateTime.now(ZoneOffset.UTC).minusHours(3))
            .endSpec()
            .build();
    leases.resource(held).createOr(each -> each.update());
    var left = CompletableFuture.supplyAsync(() -> operator(cluster).leave());
    try {
      Awaitility.await().during(Duration.ofSeconds(1)).until(() -> !left.isDone());
      assertThat(leases.withName("clusterset-membership").get().getSpec().getHolderIdentity())
          .isEqualTo("other");
    } finally {
      leases.withName("clusterset-membership").delete();
    }
    assertThat(left.join()).isEmpty();
  }
}
