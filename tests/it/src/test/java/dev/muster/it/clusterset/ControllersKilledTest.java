package dev.muster.it.clusterset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.controllers.client.Clients;
import dev.muster.it.ApiProxy;
import dev.muster.it.MusterCommand;
import dev.muster.it.ServerInProcess;
import dev.muster.multicluster.membership.ClusterSetMembership;
import dev.muster.multicluster.membership.ClusterSets;
import dev.muster.multicluster.membership.Phase;
import dev.muster.multicluster.services.AddressRange;
import dev.muster.multicluster.services.MemberServices;
import dev.muster.testing.ChildProcess;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Controllers as processes, killed after every single write that they do, before they learn of it;
 * and a hub that they cannot reach.
 */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ControllersKilledTest {
  private static final Pattern MEMBERSHIP =
      Pattern.compile(".*/(clustersetmembers|clusterproperties|clustersetmemberships)/?.*");
  private static final Pattern SERVICES =
      Pattern.compile(".*/(exportedservices|endpointslices|serviceimports|serviceexports)/?.*");

  @TempDir private static Path folder;
  private ServerInProcess hubServer;
  private KubernetesClient hub;
  private NamedCluster cluster;
  private ApiProxy toHub;
  private ApiProxy toMember;

  @BeforeAll
  void start() throws Exception {
    Files.createDirectories(folder.resolve("hub"));
    hubServer = ServerInProcess.start(folder.resolve("hub"));
    hub = Clients.of(hubServer.kubeconfig());
    cluster = NamedCluster.start(folder.resolve("one"), Optional.of("one"));
    toHub = ApiProxy.start(hubServer.kubeconfig());
    toMember = ApiProxy.start(cluster.kubeconfig());
    Files.writeString(folder.resolve("hub.kubeconfig"), toHub.kubeconfig());
    Files.writeString(folder.resolve("member.kubeconfig"), toMember.kubeconfig());
    new ClusterSets(hub).create("prod", "");
    new ClusterSets(hub).create("test", "");
    cluster.storeHub("my-hub", toHub.kubeconfig());
  }

  @AfterAll
  void stop() {
    toHub.close();
    toMember.close();
    cluster.close();
    hub.close();
    hubServer.close();
  }

  /** A process that is started again whenever it was killed, until it has nothing left to write. */
  private final class Mortal implements AutoCloseable {
    private final Pattern fatal;
    private final List<String> command;
    private final BlockingQueue<String> deaths = new LinkedBlockingQueue<>();
    private volatile ChildProcess process;

    Mortal(Pattern fatal, String... arguments) {
      this.fatal = fatal;
      this.command = MusterCommand.of(arguments);
      toHub.onWrite(this::written);
      toMember.onWrite(this::written);
      process = ChildProcess.start(command);
    }

    private synchronized void written(String method, String path) {
      if (fatal.matcher(path).matches() && process.isAlive()) {
        process.kill();
        deaths.add(method + " " + path);
      }
    }

    /**
     * How often it died between a change and what should come of it: at the first of writes that it
     * does at the same time.
     */
    int deathsUntil(Runnable change, Callable<Boolean> done) {
      int before = deaths.size();
      change.run();
      until(done);
      return deaths.size() - before;
    }

    /** Waits until it is so, and raises the process from the dead as often as that takes. */
    void until(Callable<Boolean> done) {
      await()
          .atMost(Duration.ofMinutes(10))
          .pollInterval(Duration.ofMillis(200))
          .until(
              () -> {
                if (!process.isAlive()) {
                  synchronized (this) {
                    process.close();
                    process = ChildProcess.start(command);
                  }
                }
                return done.call();
              });
    }

    @Override
    public void close() {
      toHub.onWrite((method, path) -> {});
      toMember.onWrite((method, path) -> {});
      process.close();
    }
  }

  private boolean isMemberOf(Optional<String> set) {
    var sets = new ClusterSets(hub);
    for (var each : List.of("prod", "test")) {
      var members = sets.members(each, Instant.now());
      boolean right =
          set.equals(Optional.of(each))
              ? members.size() == 1 && members.getFirst().phase() == Phase.JOINED
              : members.isEmpty();
      if (!right) {
        return false;
      }
    }
    return cluster.properties().clusterSet().equals(set);
  }

  private void want(Optional<String> set) {
    var intent = cluster.client().resources(ClusterSetMembership.class).withName("membership");
    if (set.isEmpty()) {
      intent.delete();
    } else if (intent.get() == null) {
      cluster.client().resource(ClusterSetMembership.of(set.get(), "my-hub")).create();
    } else {
      cluster.moveTo(set.get());
    }
  }

  private boolean isGone() {
    return cluster.client().resources(ClusterSetMembership.class).withName("membership").get()
        == null;
  }

  private String[] membershipController() {
    return new String[] {
      "controller-manager",
      "--kubeconfig=" + folder.resolve("member.kubeconfig"),
      "--leader-elect=false",
      "--controllers=clusterset-membership-controller"
    };
  }

  @Test
  void joinMoveAndLeaveSurviveADeathAfterEveryWrite() {
    try (var controller = new Mortal(MEMBERSHIP, membershipController())) {
      controller.until(() -> cluster.kubectl().run("get", "clustersetmemberships").code() == 0);
      assertThat(
              controller.deathsUntil(
                  () -> want(Optional.of("prod")), () -> isMemberOf(Optional.of("prod"))))
          .as("make, mirror")
          .isGreaterThanOrEqualTo(2);
      assertThat(
              controller.deathsUntil(
                  () -> want(Optional.of("test")), () -> isMemberOf(Optional.of("test"))))
          .as("leave and join")
          .isGreaterThanOrEqualTo(4);
      assertThat(
              controller.deathsUntil(
                  () -> want(Optional.empty()), () -> isMemberOf(Optional.empty()) && isGone()))
          .as("remove the mirror, release")
          .isGreaterThanOrEqualTo(2);
    }
  }

  @Test
  void aPartitionChangesNothingAndIsMadeUpForAfterwards() {
    try (var controller = new Mortal(Pattern.compile("never"), membershipController())) {
      controller.until(() -> cluster.kubectl().run("get", "clustersetmemberships").code() == 0);
      want(Optional.of("prod"));
      controller.until(() -> isMemberOf(Optional.of("prod")));
      toHub.cut();
      want(Optional.of("test"));
      controller.until(
          () ->
              cluster
                  .kubectl()
                  .succeed("get", "clustersetmembership", "membership", "-o", "yaml")
                  .contains("The hub does not answer"));
      assertThat(isMemberOf(Optional.of("prod"))).as("everything stays as it is").isTrue();
      toHub.heal();
      controller.until(() -> isMemberOf(Optional.of("test")));
      want(Optional.empty());
      controller.until(() -> isMemberOf(Optional.empty()) && isGone());
    }
  }

  @Test
  void anExportSurvivesADeathAfterEveryWriteAndAPartition() throws Exception {
    var other = NamedCluster.start(folder.resolve("two"), Optional.of("two"));
    var ranges = AddressRange.parseAll(List.of("10.249.0.0/16"));
    try (other;
        var _ = new MemberServices(hub, "prod", "two", ranges).start(other.client());
        var services =
            new Mortal(
                SERVICES,
                "services",
                "--kubeconfig=" + folder.resolve("member.kubeconfig"),
                "--hub-kubeconfig=" + folder.resolve("hub.kubeconfig"),
                "--clusterset=prod",
                "--cluster-id=one",
                "--leader-elect=false")) {
      for (var client : List.of(cluster.client(), other.client())) {
        client
            .resource(
                new NamespaceBuilder().withNewMetadata().withName("shop").endMetadata().build())
            .create();
      }
      services.until(() -> cluster.kubectl().run("get", "serviceexports", "-A").code() == 0);
      assertThat(
              services.deathsUntil(
                  () -> cluster.kubectl().succeedWithInput(DATABASE, "apply", "-f", "-"),
                  () -> addresses(other).equals(List.of("10.1.0.1")) && exported()))
          .as("export, slice")
          .isGreaterThanOrEqualTo(2);
      toHub.cut();
      cluster.kubectl().succeed("delete", "serviceexport", "db", "-n", "shop");
      assertThat(addresses(other)).as("the partition is not seen").containsExactly("10.1.0.1");
      toHub.heal();
      services.until(() -> addresses(other).isEmpty() && addresses(cluster).isEmpty());
    }
  }

  private static final String DATABASE =
      """
      apiVersion: v1
      kind: Service
      metadata: {name: db, namespace: shop}
      spec: {clusterIP: None, ports: [{port: 5432}]}
      ---
      apiVersion: discovery.k8s.io/v1
      kind: EndpointSlice
      metadata: {name: db-1, namespace: shop, labels: {kubernetes.io/service-name: db}}
      addressType: IPv4
      ports: [{port: 5432}]
      endpoints: [{addresses: [10.1.0.1]}]
      ---
      apiVersion: multicluster.x-k8s.io/v1beta1
      kind: ServiceExport
      metadata: {name: db, namespace: shop}
      """;

  private boolean exported() {
    return cluster
        .kubectl()
        .succeed("get", "serviceexport", "db", "-n", "shop", "-o", "yaml")
        .contains("reason: Exported");
  }

  private static List<String> addresses(NamedCluster of) {
    return of
        .client()
        .discovery()
        .v1()
        .endpointSlices()
        .inNamespace("shop")
        .withLabel("multicluster.kubernetes.io/service-name", "db")
        .list()
        .getItems()
        .stream()
        .flatMap(slice -> slice.getEndpoints().stream())
        .flatMap(endpoint -> endpoint.getAddresses().stream())
        .toList();
  }
}
