package dev.muster.it.controllers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.controllers.client.Clients;
import dev.muster.controllers.manager.ControllerSettings;
import dev.muster.controllers.manager.Controllers;
import dev.muster.controllers.servers.LeaseCollector;
import dev.muster.it.ApiProxy;
import dev.muster.it.ServerInProcess;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.EndpointAddress;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * All controllers, which again and again lose every watch and everything that they remember, and
 * never learn of their last write: what they leave in the end is right to the last object.
 */
@Tag("slow")
class InterruptedControllersTest {
  private static final Duration LONG = Duration.ofMinutes(5);

  /** After so many writes controllers die. */
  private static final int LIFE = 4;

  private static final String ROOT = "kube-root-ca.crt";
  private static final String INFO = "cluster-info";
  private static final String BUDGET = "policy/v1/PodDisruptionBudget";
  private static final String ROLE = "rbac.authorization.k8s.io/v1/ClusterRole";
  private static final String CLASS = "storage.k8s.io/v1/VolumeAttributesClass";
  private static final String RANGE = "networking.k8s.io/v1/ServiceCIDR";
  private static final String TOKEN =
      """
      {apiVersion: v1, kind: Secret, type: bootstrap.kubernetes.io/token,
       metadata: {name: bootstrap-token-%1$s, namespace: kube-system},
       stringData: {token-id: %1$s, token-secret: 0123456789abcdef,
        usage-bootstrap-signing: 'true', expiration: '%2$s'}}
      """;

  @TempDir private Path folder;
  private final AtomicInteger writes = new AtomicInteger();
  private final AtomicBoolean dead = new AtomicBoolean();
  private final ConcurrentLinkedQueue<String> deaths = new ConcurrentLinkedQueue<>();
  private final Deque<AutoCloseable> running = new ArrayDeque<>();
  private ServerInProcess server;
  private KubernetesClient client;
  private ApiProxy proxy;

  @BeforeEach
  void start() throws Exception {
    server = ServerInProcess.start(folder);
    client = Clients.of(server.kubeconfig());
    proxy = ApiProxy.start(server.kubeconfig());
    Files.writeString(folder.resolve("proxy.kubeconfig"), proxy.kubeconfig());
    proxy.onWrite(this::written);
    startControllers();
  }

  /** Events tell people and decide nothing; there may be one more or less of them. */
  private void written(String method, String path) {
    if (!path.contains("/events") && writes.incrementAndGet() % LIFE == 0) {
      deaths.add(method + " " + path);
      proxy.cut();
      dead.set(true);
      throw new IllegalStateException("nobody is there to hear the answer");
    }
  }

  private void startControllers() {
    var mortal = Clients.of(folder.resolve("proxy.kubeconfig"));
    running.push(mortal);
    var leases = new LeaseCollector("kube-system", Duration.ofMinutes(1));
    for (var controller :
        Controllers.of("authority", ControllerSettings.defaults(leases), Clock.systemUTC())) {
      running.push(controller.start(mortal));
    }
  }

  private void stopControllers() {
    while (!running.isEmpty()) {
      try {
        running.pop().close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @AfterEach
  void stop() {
    proxy.close();
    stopControllers();
    client.close();
    server.close();
  }

  /** Waits until all of it is so, and raises controllers from the dead meanwhile. */
  private void until(Map<String, BooleanSupplier> expected) {
    await()
        .atMost(LONG)
        .untilAsserted(
            () -> {
              if (dead.getAndSet(false)) {
                stopControllers();
                proxy.heal();
                startControllers();
              }
              assertThat(expected.entrySet())
                  .filteredOn(one -> !one.getValue().getAsBoolean())
                  .extracting(Map.Entry::getKey)
                  .as("what is not so yet")
                  .isEmpty();
            });
  }

  private void create(String... objects) {
    for (var object : objects) {
      client.resource("---\n" + object).create();
    }
  }

  private Resource<GenericKubernetesResource> find(String type, String namespace, String name) {
    int kind = type.lastIndexOf('/');
    var all = client.genericKubernetesResources(type.substring(0, kind), type.substring(kind + 1));
    return namespace.isEmpty() ? all.withName(name) : all.inNamespace(namespace).withName(name);
  }

  private boolean isGone(String type, String namespace, String name) {
    return find(type, namespace, name).get() == null;
  }

  private boolean holds(String type, String namespace, String name, String text) {
    var found = find(type, namespace, name).get();
    return found != null && Serialization.asJson(found).contains(text);
  }

  /** Of all slices of a Service: an address that stands in two of them is there twice. */
  private List<String> addresses(String service) {
    return client
        .discovery()
        .v1()
        .endpointSlices()
        .inNamespace("keep")
        .withLabel("kubernetes.io/service-name", service)
        .list()
        .getItems()
        .stream()
        .filter(slice -> slice.getEndpoints() != null)
        .flatMap(slice -> slice.getEndpoints().stream())
        .flatMap(endpoint -> endpoint.getAddresses().stream())
        .sorted()
        .toList();
  }

  private List<String> endpoints() {
    var found = client.endpoints().inNamespace("keep").withName("web").get();
    return found == null
        ? List.of()
        : found.getSubsets().stream()
            .flatMap(subset -> subset.getAddresses().stream())
            .map(EndpointAddress::getIp)
            .sorted()
            .toList();
  }

  private boolean quotaIsExact() {
    var used =
        client.resourceQuotas().inNamespace("keep").withName("limits").get().getStatus().getUsed();
    return used != null
        && used.containsKey("pods")
        && quantity(client.pods().inNamespace("keep").list().getItems()).equals(used.get("pods"))
        && quantity(client.configMaps().inNamespace("keep").list().getItems())
            .equals(used.get("count/configmaps"));
  }

  private static Quantity quantity(List<?> objects) {
    return new Quantity(String.valueOf(objects.size()));
  }

  private void pod(String name, String address) {
    create(
        """
        {apiVersion: v1, kind: Pod, metadata: {name: %s, namespace: keep, labels: {app: web}},
         spec: {nodeName: n, containers: [{name: c, image: i}]}}
        """
            .formatted(name));
    client
        .pods()
        .inNamespace("keep")
        .withName(name)
        .editStatus(
            pod ->
                pod.edit()
                    .editOrNewStatus()
                    .withPhase("Running")
                    .withPodIP(address)
                    .addNewPodIP(address)
                    .addNewCondition()
                    .withType("Ready")
                    .withStatus("True")
                    .endCondition()
                    .endStatus()
                    .build());
  }

  private void child(String name, String... owners) {
    var references = new ArrayList<OwnerReference>();
    for (var owner : owners) {
      references.add(
          new OwnerReferenceBuilder()
              .withApiVersion("v1")
              .withKind("ConfigMap")
              .withName(owner)
              .withUid(find("v1/ConfigMap", "keep", owner).get().getMetadata().getUid())
              .withBlockOwnerDeletion(true)
              .build());
    }
    client
        .resource(
            new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("keep")
                .withOwnerReferences(references)
                .endMetadata()
                .build())
        .create();
  }

  private void fill() {
    create(
        "{apiVersion: v1, kind: Node, metadata: {name: n}}",
        "{apiVersion: v1, kind: Namespace, metadata: {name: keep}}",
        "{apiVersion: v1, kind: Namespace, metadata: {name: drop}}",
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: m, namespace: drop}}",
        "{apiVersion: v1, kind: Secret, metadata: {name: s, namespace: drop}}",
        """
        {apiVersion: v1, kind: Pod, metadata: {name: p, namespace: drop},
         spec: {containers: [{name: c, image: i}]}}
        """,
        """
        {apiVersion: v1, kind: ResourceQuota, metadata: {name: limits, namespace: keep},
         spec: {hard: {pods: '9', count/configmaps: '50'}}}
        """,
        """
        {apiVersion: v1, kind: Service, metadata: {name: web, namespace: keep},
         spec: {selector: {app: web}, ports: [{port: 80}]}}
        """,
        """
        {apiVersion: v1, kind: Service, metadata: {name: outside, namespace: keep},
         spec: {ports: [{port: 80}]}}
        """,
        """
        {apiVersion: v1, kind: Endpoints, metadata: {name: outside, namespace: keep},
         subsets: [{addresses: [{ip: 192.0.2.7}], ports: [{port: 80}]}]}
        """,
        """
        {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: b, namespace: keep},
         spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}}
        """,
        """
        {apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: sum},
         aggregationRule: {clusterRoleSelectors: [{matchLabels: {part: 'true'}}]}, rules: []}
        """,
        """
        {apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole,
         metadata: {name: part, labels: {part: 'true'}},
         rules: [{apiGroups: [example.com], resources: [widgets], verbs: [get]}]}
        """,
        """
        {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data, namespace: keep},
         spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}
        """,
        """
        {apiVersion: v1, kind: Pod, metadata: {name: user, namespace: keep},
         spec: {nodeName: n, containers: [{name: c, image: i}],
          volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]}}
        """,
        """
        {apiVersion: v1, kind: PersistentVolume, metadata: {name: disk},
         spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], hostPath: {path: /tmp}}}
        """,
        """
        {apiVersion: storage.k8s.io/v1, kind: VolumeAttributesClass, metadata: {name: fast},
         driverName: driver.example.com, parameters: {iops: '100'}}
        """,
        """
        {apiVersion: networking.k8s.io/v1, kind: ServiceCIDR, metadata: {name: more},
         spec: {cidrs: [10.77.0.0/24]}}
        """,
        """
        {apiVersion: v1, kind: ConfigMap, metadata: {name: cluster-info, namespace: kube-public},
         data: {kubeconfig: text}}
        """,
        TOKEN.formatted("abcdef", "2099-01-01T00:00:00Z"),
        TOKEN.formatted("ended0", "2020-01-01T00:00:00Z"));
    pod("a", "10.1.0.1");
    pod("b", "10.1.0.2");
    for (var parent : List.of("background", "foreground", "orphaning", "staying")) {
      child(parent);
    }
    child("of-background", "background");
    child("of-foreground", "foreground");
    child("of-orphaning", "orphaning");
    child("of-two", "background", "staying");
  }

  private void empty() {
    var maps = client.configMaps().inNamespace("keep");
    maps.withName("background").withPropagationPolicy(DeletionPropagation.BACKGROUND).delete();
    maps.withName("foreground").withPropagationPolicy(DeletionPropagation.FOREGROUND).delete();
    maps.withName("orphaning").withPropagationPolicy(DeletionPropagation.ORPHAN).delete();
    client.namespaces().withName("drop").delete();
    find("v1/PersistentVolumeClaim", "keep", "data").delete();
    for (var pod : List.of("a", "user")) {
      client.pods().inNamespace("keep").withName(pod).withGracePeriod(0).delete();
    }
    find("v1/PersistentVolume", "", "disk").delete();
    find("storage.k8s.io/v1/VolumeAttributesClass", "", "fast").delete();
    find("networking.k8s.io/v1/ServiceCIDR", "", "more").delete();
    find("rbac.authorization.k8s.io/v1/ClusterRole", "", "part").delete();
    find("v1/Secret", "kube-system", "bootstrap-token-abcdef").delete();
  }

  @Test
  void whatControllersLeaveIsRightWhereverTheyWereInterrupted() {
    fill();
    until(
        Map.ofEntries(
            Map.entry("service account", () -> !isGone("v1/ServiceAccount", "keep", "default")),
            Map.entry("authority", () -> holds("v1/ConfigMap", "keep", ROOT, "authority")),
            Map.entry("quota", this::quotaIsExact),
            Map.entry("slices", () -> addresses("web").equals(List.of("10.1.0.1", "10.1.0.2"))),
            Map.entry("endpoints", () -> endpoints().equals(List.of("10.1.0.1", "10.1.0.2"))),
            Map.entry("mirror", () -> addresses("outside").equals(List.of("192.0.2.7"))),
            Map.entry("budget", () -> holds(BUDGET, "keep", "b", "\"disruptionsAllowed\":1")),
            Map.entry("role", () -> holds(ROLE, "", "sum", "widgets")),
            Map.entry(
                "claim", () -> holds("v1/PersistentVolumeClaim", "keep", "data", "protection")),
            Map.entry("volume", () -> holds("v1/PersistentVolume", "", "disk", "protection")),
            Map.entry("class", () -> holds(CLASS, "", "fast", "protection")),
            Map.entry("range", () -> holds(RANGE, "", "more", "CIDR is ready")),
            Map.entry(
                "signature",
                () -> holds("v1/ConfigMap", "kube-public", INFO, "jws-kubeconfig-abcdef")),
            Map.entry(
                "ended token",
                () -> isGone("v1/Secret", "kube-system", "bootstrap-token-ended0"))));
    assertThat(deaths).as("writes that nobody heard of").hasSizeGreaterThan(4);
    int filled = deaths.size();
    empty();
    until(
        Map.ofEntries(
            Map.entry("namespace", () -> isGone("v1/Namespace", "", "drop")),
            Map.entry("background", () -> isGone("v1/ConfigMap", "keep", "of-background")),
            Map.entry("foreground", () -> isGone("v1/ConfigMap", "keep", "foreground")),
            Map.entry("orphaning", () -> isGone("v1/ConfigMap", "keep", "orphaning")),
            Map.entry("one owner left", () -> owners("of-two").equals(List.of("staying"))),
            Map.entry("quota", this::quotaIsExact),
            Map.entry("slices", () -> addresses("web").equals(List.of("10.1.0.2"))),
            Map.entry("endpoints", () -> endpoints().equals(List.of("10.1.0.2"))),
            Map.entry("budget", () -> holds(BUDGET, "keep", "b", "\"disruptionsAllowed\":0")),
            Map.entry("role", () -> !holds(ROLE, "", "sum", "widgets")),
            Map.entry("claim", () -> isGone("v1/PersistentVolumeClaim", "keep", "data")),
            Map.entry("volume", () -> isGone("v1/PersistentVolume", "", "disk")),
            Map.entry("class", () -> isGone(CLASS, "", "fast")),
            Map.entry("range", () -> isGone(RANGE, "", "more")),
            Map.entry(
                "signature", () -> !holds("v1/ConfigMap", "kube-public", INFO, "jws-kubeconfig"))));
    assertThat(deaths).hasSizeGreaterThan(filled + 2);
    assertThat(isGone("v1/ConfigMap", "keep", "of-foreground")).isTrue();
    assertThat(owners("of-orphaning")).as("an orphan stays").isEmpty();
    assertThat(isGone("v1/ConfigMap", "keep", "staying")).isFalse();
    assertThat(addresses("outside")).containsExactly("192.0.2.7");
  }

  private List<String> owners(String map) {
    return find("v1/ConfigMap", "keep", map).get().getMetadata().getOwnerReferences().stream()
        .map(OwnerReference::getName)
        .toList();
  }
}
