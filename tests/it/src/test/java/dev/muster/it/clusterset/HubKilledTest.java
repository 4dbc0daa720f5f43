package dev.muster.it.clusterset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.controllers.client.Clients;
import dev.muster.it.Kubectl;
import dev.muster.it.Processes;
import dev.muster.multicluster.membership.ClusterSetMembership;
import dev.muster.multicluster.membership.ClusterSets;
import dev.muster.multicluster.membership.MembershipController;
import dev.muster.multicluster.membership.Phase;
import dev.muster.multicluster.rules.ClusterIdRules;
import dev.muster.testing.ChildProcess;
import dev.muster.testing.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The hub dies while a member is on its way, and comes back with what it had stored. */
@Tag("slow")
class HubKilledTest {
  private static final ClusterIdRules IDS = new ClusterIdRules(false);

  @TempDir private Path folder;

  @Test
  void aMemberStaysWhatItIsAndArrivesWhenTheHubIsBack() throws Exception {
    int port = FreePorts.find(1).getFirst();
    try (var member = NamedCluster.start(folder.resolve("one"), Optional.of("one"));
        var _ = new MembershipController(IDS, Clock.systemUTC()).start(member.client())) {
      try (var hub = startHub(port)) {
        storeWayToHub(member);
        createSets();
        awaitThat(() -> member.kubectl().run("get", "clustersetmemberships").code() == 0);
        member.client().resource(ClusterSetMembership.of("prod", "my-hub")).create();
        awaitThat(() -> isMemberOf("prod", member));
        hub.kill();
      }
      member.moveTo("test");
      awaitThat(
          () ->
              member
                  .kubectl()
                  .succeed("get", "clustersetmembership", "membership", "-o", "yaml")
                  .contains("The hub does not answer"));
      assertThat(member.properties().clusterSet()).contains("prod");
      // Dies again and again, somewhere between leaving and joining.
      for (int life = 1; life <= 3; life++) {
        try (var hub = startHub(port)) {
          Thread.sleep(200L * life);
          hub.kill();
        }
        assertThat(member.properties().clusterSet()).isIn(at("prod"), at(""), at("test"));
      }
      try (var _ = startHub(port)) {
        awaitThat(() -> isMemberOf("test", member));
        member.client().resources(ClusterSetMembership.class).withName("membership").delete();
        awaitThat(() -> member.properties().clusterSet().isEmpty() && members("test").isEmpty());
      }
    }
  }

  private static Optional<String> at(String set) {
    return Optional.of(set).filter(name -> !name.isEmpty());
  }

  /** Always at the same address, with the same data. */
  private ChildProcess startHub(int port) throws Exception {
    var hub = Processes.up(folder.resolve("hub"), "--port=" + port);
    Processes.awaitUp(hub);
    return hub;
  }

  private Path wayToHub() {
    return folder.resolve("hub/admin.kubeconfig");
  }

  private void storeWayToHub(NamedCluster member) throws IOException {
    member.storeHub("my-hub", Files.readString(wayToHub()));
  }

  private void createSets() throws IOException {
    try (var hub = Clients.of(wayToHub())) {
      new ClusterSets(hub).create("prod", "");
      new ClusterSets(hub).create("test", "");
    }
  }

  private List<ClusterSets.MemberView> members(String set) throws IOException {
    try (var hub = Clients.of(wayToHub())) {
      return new ClusterSets(hub).members(set, Instant.now());
    }
  }

  /** In the hub in that set and no other, and as the member shows it. */
  private boolean isMemberOf(String set, NamedCluster member) throws IOException {
    var other = set.equals("prod") ? "test" : "prod";
    var members = members(set);
    return members.size() == 1
        && members.getFirst().phase() == Phase.JOINED
        && members(other).isEmpty()
        && member.properties().clusterSet().equals(Optional.of(set));
  }

  private static void awaitThat(Callable<Boolean> condition) {
    await().atMost(Duration.ofMinutes(5)).pollInterval(Kubectl.BETWEEN_LOOKS).until(condition);
  }
}
