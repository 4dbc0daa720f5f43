package dev.muster.it.controllers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.controllers.quota.ResourceQuotaController;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ResourceQuotaTest {
  @TempDir private static Path folder;
  private TestCluster cluster;
  private KubernetesClient client;

  @BeforeAll
  void start() throws IOException {
    cluster =
        TestCluster.start(
            folder, new ResourceQuotaController(4, Duration.ofMinutes(5), Clock.systemUTC()));
    client = cluster.client();
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  @BeforeEach
  void makeNamespace() {
    cluster.nextNamespace();
  }

  private void create(String yaml) {
    cluster.create(yaml);
  }

  private void quota(String spec) {
    create(
        "{apiVersion: v1, kind: ResourceQuota, metadata: {name: q, namespace: NAMESPACE}, spec: "
            + spec
            + "}");
  }

  private void awaitUsed(Map<String, String> wanted) {
    TestCluster.eventually(() -> assertThat(used()).isEqualTo(new TreeMap<>(wanted)));
  }

  private Map<String, String> used() {
    ResourceQuota quota =
        client.resourceQuotas().inNamespace(cluster.namespace()).withName("q").get();
    var used = new TreeMap<String, String>();
    if (quota.getStatus() != null && quota.getStatus().getUsed() != null) {
      quota.getStatus().getUsed().forEach((name, amount) -> used.put(name, amount.toString()));
    }
    return used;
  }

  private void configMap(String name) {
    create(
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + ", namespace: NAMESPACE}}");
  }

  private void pod(String name, String fields) {
    create(
        "{apiVersion: v1, kind: Pod, metadata: {name: "
            + name
            + ", namespace: NAMESPACE}, spec: {containers: [{name: c, image: i, resources:"
            + " {requests: {cpu: 500m}}}]"
            + fields
            + "}}");
  }

  @Test
  void whatIsThereIsCountedAndTheLimitHolds() {
    configMap("one");
    quota("{hard: {configmaps: '2', count/configmaps: '5'}}");
    awaitUsed(Map.of("configmaps", "1", "count/configmaps", "1"));
    configMap("two");
    assertThatThrownBy(() -> configMap("three"))
        .hasMessageContaining(
            "exceeded quota: q, requested: configmaps=1, used: configmaps=2, limited:"
                + " configmaps=2");
  }

  @Test
  void whatIsDeletedIsGivenBack() {
    quota("{hard: {pods: '1', requests.cpu: '1'}}");
    awaitUsed(Map.of("pods", "0", "requests.cpu", "0"));
    pod("one", "");
    awaitUsed(Map.of("pods", "1", "requests.cpu", "500m"));
    client.pods().inNamespace(cluster.namespace()).withName("one").withGracePeriod(0).delete();
    awaitUsed(Map.of("pods", "0", "requests.cpu", "0"));
    pod("two", "");
  }

  @Test
  void aPodThatFinishedGivesBackWhatItTook() {
    quota("{hard: {pods: '3', count/pods: '3', cpu: '2'}}");
    awaitUsed(Map.of("pods", "0", "count/pods", "0", "cpu", "0"));
    pod("job", "");
    client
        .pods()
        .inNamespace(cluster.namespace())
        .withName("job")
        .editStatus(pod -> pod.edit().editOrNewStatus().withPhase("Succeeded").endStatus().build());
    awaitUsed(Map.of("pods", "0", "count/pods", "1", "cpu", "0"));
  }

  @Test
  void aLimitThatIsAddedLaterIsCounted() {
    pod("one", "");
    quota("{hard: {pods: '5'}, scopes: [NotBestEffort]}");
    awaitUsed(Map.of("pods", "1"));
    client
        .resourceQuotas()
        .inNamespace(cluster.namespace())
        .withName("q")
        .edit(
            quota ->
                quota
                    .edit()
                    .editSpec()
                    .addToHard("requests.cpu", new Quantity("4"))
                    .endSpec()
                    .build());
    awaitUsed(Map.of("pods", "1", "requests.cpu", "500m"));
  }

  @Test
  void customResourcesAreCountedAsTheyComeAndGo() {
    quota("{hard: {count/gadgets.quota.example.com: '1', services.nodeports: '0'}}");
    client
        .resource(
            """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: gadgets.quota.example.com}
            spec:
              group: quota.example.com
              scope: Namespaced
              names: {plural: gadgets, singular: gadget, kind: Gadget, listKind: GadgetList}
              versions:
              - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
            """)
        .create();
    var gadget =
        "{apiVersion: quota.example.com/v1, kind: Gadget, metadata: {name: g, namespace:"
            + " NAMESPACE}}";
    awaitUsed(Map.of("count/gadgets.quota.example.com", "0", "services.nodeports", "0"));
    create(gadget);
    awaitUsed(Map.of("count/gadgets.quota.example.com", "1", "services.nodeports", "0"));
    client
        .genericKubernetesResources("quota.example.com/v1", "Gadget")
        .inNamespace(cluster.namespace())
        .withName("g")
        .delete();
    awaitUsed(Map.of("count/gadgets.quota.example.com", "0", "services.nodeports", "0"));
  }
}
