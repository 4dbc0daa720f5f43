package dev.muster.it.clusterset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.controllers.client.Clients;
import dev.muster.controllers.garbagecollector.GarbageCollector;
import dev.muster.it.Kubectl;
import dev.muster.it.MusterCommand;
import dev.muster.it.ServerInProcess;
import dev.muster.multicluster.membership.ClusterSetMember;
import dev.muster.multicluster.membership.ClusterSetMembership;
import dev.muster.multicluster.membership.ClusterSets;
import dev.muster.multicluster.membership.MembershipController;
import dev.muster.multicluster.membership.MembershipOperator;
import dev.muster.multicluster.rules.ClusterIdRules;
import dev.muster.multicluster.services.AddressRange;
import dev.muster.multicluster.services.MemberServices;
import dev.muster.testing.ChildProcess;
import dev.muster.testing.NeedsProgram;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code muster services} with the rights of docs/manifests and of the hub's role, and no others.
 */
@Tag("slow")
@NeedsProgram("kubectl")
class ServicesWithFewRightsTest {
  private static final ClusterIdRules IDS = new ClusterIdRules(false);
  private static final Path MANIFESTS = Path.of("../../docs/manifests");
  private static final String USER = "somebody";
  private static final String DATABASE =
      """
      apiVersion: v1
      kind: Service
      metadata: {name: db, namespace: shop}
      spec: {ports: [{port: 5432}]}
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

  @TempDir private static Path folder;

  @Test
  void followItsClusterIntoASetAndOutOfItWhenTheHubTakesItOut() throws Exception {
    Files.createDirectories(folder.resolve("hub"));
    try (var hubServer = ServerInProcess.start(folder.resolve("hub"));
        var hub = Clients.of(hubServer.kubeconfig());
        var _ = new GarbageCollector(2).start(hub);
        var one = NamedCluster.start(folder.resolve("one"), Optional.of("one"));
        var two = NamedCluster.start(folder.resolve("two"), Optional.of("two"))) {
      new ClusterSets(hub).create("prod", "");
      new MembershipOperator(two.client(), hub, IDS).join("prod");
      var ranges = AddressRange.parseAll(List.of("10.249.0.0/16"));
      for (var cluster : List.of(one, two)) {
        cluster
            .client()
            .resource(
                new NamespaceBuilder().withNewMetadata().withName("shop").endMetadata().build())
            .create();
      }
      // An administrator's: it installs the definitions, in one as well.
      try (var _ = new MemberServices(hub, "prod", "two", ranges).start(two.client())) {
        try (var _ = new MemberServices(hub, "prod", "one", ranges).start(one.client())) {
          await()
              .atMost(Duration.ofMinutes(3))
              .pollInterval(Kubectl.BETWEEN_LOOKS)
              .until(() -> one.kubectl().run("get", "serviceexports", "-A").code() == 0);
        }
        one.kubectl().succeedWithInput(DATABASE, "apply", "-f", "-");
        grant(one.kubectl(), "multicluster-services-member.yaml", "kube-system");
        var administrator = Kubectl.of(hubServer.kubeconfig());
        grant(administrator, "", "clusterset-prod");
        // The account of a member sees its own claim without this.
        administrator.succeed(
            "create",
            "clusterrole",
            "claims",
            "--verb=get",
            "--resource=clustersetmembers.clusterset.muster.dev",
            "--resource-name=one");
        administrator.succeed(
            "create", "clusterrolebinding", "claims", "--clusterrole=claims", "--user=" + USER);
        try (var process =
            ChildProcess.start(
                MusterCommand.of(
                    "services",
                    "--kubeconfig=" + asUser(one.kubeconfig()),
                    "--hub-kubeconfig=" + asUser(hubServer.kubeconfig())))) {
          new MembershipOperator(one.client(), hub, IDS).join("prod");
          awaitImports(process, one, two, 1);
          assertThat(process.output()).noneMatch(line -> line.contains("forbidden"));
          assertThat(owned(hub)).as("exports go with their claim").isTrue();
          takeOut(hub);
          awaitImports(process, one, two, 0);
        }
        try (var _ = new MembershipController(IDS, Clock.systemUTC()).start(one.client())) {
          await()
              .atMost(Duration.ofMinutes(3))
              .pollInterval(Kubectl.BETWEEN_LOOKS)
              .until(
                  () ->
                      one.properties().clusterSet().isEmpty()
                          || one.kubectl()
                              .succeed("get", "clustersetmembership", "membership", "-o", "yaml")
                              .contains("does not accept this cluster"));
        }
        assertThat(new MembershipOperator(one.client(), hub, IDS).leave()).contains("prod");
        assertThat(one.properties().clusterSet()).isEmpty();
      }
    }
  }

  @Test
  void theAccountOfAMemberWritesItsOwnExportsAndNoOthers() throws Exception {
    Files.createDirectories(folder.resolve("shared-hub"));
    try (var hubServer = ServerInProcess.start(folder.resolve("shared-hub"));
        var hub = Clients.of(hubServer.kubeconfig());
        var one = NamedCluster.start(folder.resolve("first"), Optional.of("one"));
        var two = NamedCluster.start(folder.resolve("second"), Optional.of("two"))) {
      new ClusterSets(hub).create("prod", "");
      var ranges = AddressRange.parseAll(List.of("10.249.0.0/16"));
      for (var cluster : List.of(one, two)) {
        new MembershipOperator(cluster.client(), hub, IDS).join("prod");
        cluster
            .client()
            .resource(
                new NamespaceBuilder().withNewMetadata().withName("shop").endMetadata().build())
            .create();
      }
      var administrator = Kubectl.of(hubServer.kubeconfig());
      var account = account(one);
      try (var asAccount = Clients.of(account);
          var _ = new MemberServices(hub, "prod", "two", ranges).start(two.client());
          var _ = new MemberServices(asAccount, "prod", "one", ranges).start(one.client())) {
        for (var cluster : List.of(one, two)) {
          await()
              .atMost(Duration.ofMinutes(3))
              .pollInterval(Kubectl.BETWEEN_LOOKS)
              .until(() -> cluster.kubectl().run("get", "serviceexports", "-A").code() == 0);
          cluster.kubectl().succeedWithInput(DATABASE, "apply", "-f", "-");
        }
        await()
            .atMost(Duration.ofMinutes(3))
            .until(() -> imported(one.client()) == 2 && imported(two.client()) == 2);
      }
      var member = Kubectl.of(account);
      var others = "multicluster.kubernetes.io/source-cluster=two";
      for (var kind : List.of("exportedservices", "endpointslices")) {
        var list =
            administrator.succeed("get", kind, "-n", "clusterset-prod", "-l", others, "-o", "json");
        var stolen = list.replace("\"two\"", "\"one\"");
        for (var refused :
            List.of(
                member.run("delete", kind, "-n", "clusterset-prod", "-l", others),
                member.runWithInput(list, "replace", "-f", "-"),
                member.runWithInput(stolen, "replace", "-f", "-"))) {
          assertThat(refused.code()).isNotZero();
          assertThat(refused.err())
              .containsAnyOf("The cluster one cannot ", "stays with its cluster");
        }
        var own = others.replace("two", "one");
        member.succeed("delete", kind, "-n", "clusterset-prod", "-l", own);
      }
    }
  }

  /** The way into the hub that the cluster was given when it joined. */
  private static Path account(NamedCluster cluster) throws IOException {
    var membership =
        cluster.client().resources(ClusterSetMembership.class).withName("membership").get();
    var secret =
        cluster
            .client()
            .secrets()
            .inNamespace("kube-system")
            .withName(membership.getSpec().hubSecret())
            .get();
    return Files.write(
        folder.resolve("account.kubeconfig"),
        Base64.getDecoder().decode(secret.getData().get("kubeconfig")));
  }

  private static void awaitImports(
      ChildProcess process, NamedCluster one, NamedCluster two, int slices) {
    await()
        .atMost(Duration.ofMinutes(3))
        .untilAsserted(
            () ->
                assertThat(List.of(imported(one.client()), imported(two.client())))
                    .as("slices in one and two; %s", String.join("\n", process.output()))
                    .containsOnly(slices));
  }

  private static void takeOut(KubernetesClient hub) {
    hub.resources(ClusterSetMember.class).inNamespace("clusterset-prod").withName("one").delete();
  }

  private static boolean owned(KubernetesClient hub) {
    return hub
        .genericKubernetesResources("clusterset.muster.dev/v1alpha1", "ExportedService")
        .inNamespace("clusterset-prod")
        .list()
        .getItems()
        .stream()
        .flatMap(export -> export.getMetadata().getOwnerReferences().stream())
        .anyMatch(owner -> owner.getKind().equals("ClusterSetMember"));
  }

  private static int imported(KubernetesClient client) {
    return client
        .discovery()
        .v1()
        .endpointSlices()
        .inNamespace("shop")
        .withLabel("multicluster.kubernetes.io/service-name", "db")
        .list()
        .getItems()
        .size();
  }

  /**
   * @param manifest with the role; "" for that which the hub has from the start
   */
  private static void grant(Kubectl kubectl, String manifest, String namespace) {
    if (!manifest.isEmpty()) {
      kubectl.succeed("apply", "-f", MANIFESTS.resolve(manifest).toString());
    }
    var role =
        manifest.isEmpty() ? "muster:multicluster-services-hub" : "muster:multicluster-services";
    kubectl.succeed(
        "create", "clusterrolebinding", "services", "--clusterrole=" + role, "--user=" + USER);
    kubectl.succeed(
        "create",
        "rolebinding",
        "services",
        "-n",
        namespace,
        "--role=muster:multicluster-services",
        "--user=" + USER);
  }

  private static Path asUser(Path kubeconfig) throws IOException {
    return Files.writeString(
        kubeconfig.resolveSibling("user.kubeconfig"),
        Files.readString(kubeconfig).replace("of-the-test", "of-a-user"));
  }
}
