package dev.muster.it.clusterset;

import static dev.muster.multicluster.rules.WellKnownProperties.CLUSTER_ID;
import static dev.muster.multicluster.rules.WellKnownProperties.CLUSTER_SET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.controllers.client.Clients;
import dev.muster.it.ServerInProcess;
import dev.muster.multicluster.conformance.AboutRequirement;
import dev.muster.multicluster.conformance.AboutSuite;
import dev.muster.multicluster.conformance.Finding;
import dev.muster.multicluster.conformance.Finding.Result;
import dev.muster.multicluster.conformance.Reports;
import dev.muster.multicluster.conformance.Requirement;
import dev.muster.multicluster.identity.ClusterProperties;
import dev.muster.multicluster.identity.InstalledDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A cluster that keeps the rules passes; one without rules fails where it breaks them. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AboutConformanceTest {
  @TempDir private static Path folder;
  private NamedCluster good;
  private ServerInProcess lawless;
  private KubernetesClient client;
  private ClusterProperties properties;

  @BeforeAll
  void start() throws Exception {
    good = NamedCluster.start(folder.resolve("good"), Optional.of("one"));
    Files.createDirectories(folder.resolve("lawless"));
    lawless = ServerInProcess.start(folder.resolve("lawless"));
    client = Clients.of(lawless.kubeconfig());
    properties = new ClusterProperties(client);
    assertThat(failed(false)).as("without the definition").containsExactly(AboutRequirement.SERVED);
    install();
  }

  private void install() {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                InstalledDefinition.ofClusterProperties().ensure(client)
                    instanceof InstalledDefinition.State.Ready);
  }

  @AfterAll
  void stop() throws Exception {
    client.close();
    lawless.close();
    good.close();
  }

  @AfterEach
  void clean() {
    properties.all().keySet().forEach(properties::delete);
    good.properties().delete(CLUSTER_SET);
  }

  private List<Finding> check(boolean destructive, Map<String, KubernetesClient> clusters) {
    return new AboutSuite(new TreeMap<>(clusters), destructive).run();
  }

  private List<Requirement> failed(boolean destructive) {
    return check(destructive, Map.of("lawless", client)).stream()
        .filter(finding -> finding.result() == Result.FAIL)
        .map(Finding::requirement)
        .toList();
  }

  @Test
  void aClusterThatKeepsTheRulesPassesAndIsLeftAsItWas() {
    good.properties().create(CLUSTER_SET, "prod");
    var before = good.properties().all();
    var findings = check(true, Map.of("good", good.client()));
    assertThat(findings)
        .filteredOn(finding -> finding.result() != Result.PASS)
        .extracting(Finding::requirement)
        .containsExactly(AboutRequirement.ID_UNIQUE, AboutRequirement.SET_NEEDS_ID);
    assertThat(findings).allSatisfy(finding -> assertThat(finding.detail()).isNotEmpty());
    assertThat(findings).hasSize(AboutRequirement.values().length);
    assertThat(good.properties().all()).isEqualTo(before);
    good.properties().delete(CLUSTER_SET);
    good.properties().delete(CLUSTER_ID);
    try {
      assertThat(check(true, Map.of("good", good.client())))
          .filteredOn(finding -> finding.result() == Result.PASS)
          .extracting(Finding::requirement)
          .contains(AboutRequirement.SET_NEEDS_ID);
    } finally {
      good.properties().set(CLUSTER_ID, "one");
    }
  }

  @Test
  void brokenClustersAreFoundOut() {
    assertThat(failed(true))
        .containsExactly(AboutRequirement.NAMES_REFUSED, AboutRequirement.SET_NEEDS_ID);
    properties.set(CLUSTER_ID, "Not_A_Name");
    assertThat(failed(true)).contains(AboutRequirement.ID_SUBDOMAIN);
    properties.set(CLUSTER_ID, "a.".repeat(70) + "a");
    assertThat(failed(true))
        .contains(AboutRequirement.ID_LENGTH)
        .doesNotContain(AboutRequirement.ID_DNS);
    properties.set(CLUSTER_ID, "a.".repeat(120) + "a");
    assertThat(failed(true)).contains(AboutRequirement.ID_DNS);
    properties.delete(CLUSTER_ID);
    properties.create(CLUSTER_SET, "prod");
    assertThat(failed(true)).contains(AboutRequirement.ID_EXISTS);
    properties.create("fingerprint.k8s.io", "x");
    assertThat(failed(true)).contains(AboutRequirement.NAMES_RESERVED);
    properties.set(CLUSTER_SET, " ");
    assertThat(failed(true)).contains(AboutRequirement.SET_CONTENTS);
  }

  @Test
  void membersWithoutEnforcementFailOnlyWhereItMayBeTried() {
    properties.create(CLUSTER_ID, "one");
    properties.create(CLUSTER_SET, "prod");
    var before = properties.all();
    assertThat(failed(false)).containsExactly(AboutRequirement.NAMES_REFUSED);
    assertThat(failed(true))
        .contains(
            AboutRequirement.ID_UNCHANGED,
            AboutRequirement.ID_KEPT,
            AboutRequirement.SET_UNCHANGED);
    assertThat(properties.all()).isEqualTo(before);
  }

  @Test
  void twoMembersOfASetWithOneIdAreFoundOut() throws Exception {
    properties.create(CLUSTER_ID, "one");
    properties.create(CLUSTER_SET, "prod");
    good.properties().create(CLUSTER_SET, "prod");
    var findings = check(false, Map.of("a", good.client(), "b", client));
    assertThat(findings)
        .filteredOn(finding -> finding.requirement() == AboutRequirement.ID_UNIQUE)
        .extracting(Finding::result)
        .containsExactly(Result.FAIL, Result.FAIL);
    var xml =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(
                new ByteArrayInputStream(Reports.junit(findings).getBytes(StandardCharsets.UTF_8)));
    assertThat(xml.getElementsByTagName("testcase").getLength()).isEqualTo(findings.size());
    assertThat(xml.getElementsByTagName("failure").getLength()).isEqualTo(2);
    assertThat(Reports.json(findings)).contains("\"conforms\":false").contains("id-unique");
  }

  @Test
  void aDefinitionWithoutTheLimitIsFoundOut() {
    var definitions = client.apiextensions().v1().customResourceDefinitions();
    definitions
        .withName("clusterproperties.about.k8s.io")
        .edit(
            definition -> {
              for (var version : definition.getSpec().getVersions()) {
                var fields = version.getSchema().getOpenAPIV3Schema().getProperties();
                var spec = Objects.requireNonNull(fields.get("spec"));
                Objects.requireNonNull(spec.getProperties().get("value")).setMaxLength(null);
                spec.setRequired(List.of());
              }
              return definition;
            });
    try {
      assertThat(failed(false))
          .contains(AboutRequirement.VALUE_LIMIT, AboutRequirement.VALUE_REQUIRED);
    } finally {
      install();
    }
  }
}
